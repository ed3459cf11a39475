package repl

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"

	"github.com/ddps-go/ddps/internal/ram"
	"github.com/ddps-go/ddps/kernelext/live"
)

// ScriptError is why a script ended, with the place.
type ScriptError struct {
	File string
	Line int // from 1; 0 if none in particular
	Err  error
}

// Error returns file, line and message.
func (e *ScriptError) Error() string {
	var l *live.Error
	msg := e.Err.Error()
	if errors.As(e.Err, &l) {
		msg = l.Message
	}
	if e.Line == 0 {
		return e.File + ": " + msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, msg)
}

// Unwrap returns what the session said.
func (e *ScriptError) Unwrap() error { return e.Err }

// File runs a file of Go as one cell: statements at the top level, or a package main with its function main. The
// error is a *ScriptError.
func File(ctx context.Context, c Config, path string) error {
	code, err := ram.ReadFile(path, ram.MaxText)
	if err != nil {
		return fmt.Errorf("repl: %w", err)
	}
	c.History = ""
	r, err := newREPL(c)
	if err != nil {
		return err
	}
	if r.In == nil {
		r.In = os.Stdin
	}
	r.screen.read = newLines(r.In).typed
	text := string(code)
	if strings.HasPrefix(text, "#!") { // as a program of its own
		text = "//" + text
	}
	return r.whole(ctx, path, 0, text)
}

// whole runs a file from a line on as one cell; a file that declares a name again, as a prompt may, as one cell before
// that and one from there on.
func (r *repl) whole(ctx context.Context, name string, before int, code string) error {
	err := r.script(ctx, name, before, code)
	var l *live.Error
	if !errors.As(err, &l) || !strings.Contains(l.Message, "redeclared in this block") {
		return err
	}
	first, rest, ok := cutBefore(code, l.Line())
	if !ok {
		return err
	}
	if err := r.script(ctx, name, before, first); err != nil {
		return err
	}
	return r.whole(ctx, name, before+l.Line()-1, rest)
}

// cutBefore cuts a script before a line with which a statement begins.
func cutBefore(code string, line int) (first, rest string, ok bool) {
	if _, err := parser.ParseFile(token.NewFileSet(), "", code, parser.PackageClauseOnly); err == nil {
		return "", "", false // a file of Go
	}
	for l := newLines(strings.NewReader(code)); l.read < line-1; {
		if _, _, err := l.next(context.Background(), func(bool) {}); err != nil {
			return "", "", false
		}
		ok = l.read == line-1
	}
	at := 0
	for range line - 1 {
		at += strings.IndexByte(code[at:], '\n') + 1
	}
	return code[:at], code[at:], ok
}

// Pipe runs what comes from in, each statement as soon as it is whole, a type's declaration with those that follow it,
// and shows the values of expressions. What statements read is what comes next. From a statement that returns or
// defers, a label that later lines use, or a declaration that uses a name of later lines, the rest is one cell, as in a
// function. It ends at the first error, a *ScriptError.
func Pipe(ctx context.Context, c Config, in io.Reader, name string) error {
	c.History = ""
	r, err := newREPL(c)
	if err != nil {
		return err
	}
	lines := newLines(in)
	r.screen.read = lines.typed
	for !r.done {
		code, before, err := lines.group(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("repl: %w", err)
		}
		if !leaves(code) {
			if err = r.whole(ctx, name, before, code); err == nil {
				continue
			}
			if !forward(code, err) {
				return err
			}
		}
		rest, command := lines.rest(ctx)
		if err := r.whole(ctx, name, before, code+"\n"+rest); err != nil {
			return err
		}
		if err := r.script(ctx, name, lines.read-1, command); err != nil {
			return err
		}
	}
	return nil
}

// rest returns the lines before a command, or all, and the command.
func (l *lines) rest(ctx context.Context) (code, command string) {
	if l.ahead != nil {
		code, l.ahead = *l.ahead+"\n", nil
		if strings.HasPrefix(strings.TrimSpace(code), ":") {
			return "", code
		}
	}
	for {
		s, err := l.line(ctx)
		if strings.HasPrefix(strings.TrimSpace(s), ":") {
			return code, s
		}
		if code += s; err != nil {
			return code, ""
		}
	}
}

// leaves reports whether a statement returns, defers or jumps: what reaches beyond it.
func leaves(code string) (yes bool) {
	text := "package main\nfunc _() {\n" + code + "\n}"
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt:
			yes = true
		case *ast.BranchStmt:
			yes = yes || n.Tok == token.GOTO
		}
		return !yes
	})
	return yes
}

// declares reports whether code is nothing but declarations that call nothing.
func declares(code string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+code, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		effects := g.Tok == token.IMPORT
		ast.Inspect(g, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				effects = true
			case *ast.UnaryExpr:
				effects = effects || n.Op == token.ARROW
			}
			return !effects
		})
		if effects {
			return false
		}
	}
	return true
}

// forward reports whether a declaration failed for a name or method that later lines may declare, or a label that they
// may use.
func forward(code string, err error) bool {
	var l *live.Error
	if !errors.As(err, &l) {
		return false
	}
	if strings.HasPrefix(l.Message, "label ") && strings.HasSuffix(l.Message, " declared and not used") {
		return true
	}
	if !strings.Contains(l.Message, "undefined") && !strings.Contains(l.Message, "missing method") {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+code, parser.SkipObjectResolution)
	return err == nil && len(f.Decls) > 0
}

// script runs code that stands in a file after so many lines.
func (r *repl) script(ctx context.Context, name string, before int, code string) error {
	err := r.line(ctx, code)
	if err == nil {
		return nil
	}
	e := &ScriptError{File: name, Err: err}
	var l *live.Error
	if errors.As(err, &l) && l.Line() > 0 {
		e.Line = before + l.Line()
	}
	return e
}
