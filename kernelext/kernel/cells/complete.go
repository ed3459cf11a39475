package cells

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Completeness is the answer to is_complete_request: complete, incomplete or invalid, and how deep the next line
// stands.
type Completeness struct {
	Status string `json:"status"`
	Indent string `json:"indent,omitempty"`
}

// Statuses of code.
const (
	complete   = "complete"
	incomplete = "incomplete"
	invalid    = "invalid"
)

// IsComplete reports whether a cell could be run as it stands. Magics are complete; Go is if it parses as declarations,
// or as statements below %% or %%live, and incomplete while a bracket, a comment or a raw string is open or an
// operator waits for its operand.
func IsComplete(code string) Completeness {
	c := New(code)
	if _, asks := c.Query(); asks || c.Blank() {
		return Completeness{Status: complete}
	}
	if c.begins() {
		return Completeness{Status: incomplete}
	}
	if code, _, ok := c.Live(); ok {
		return goComplete(code, false)
	}
	first, _ := c.First()
	if f := strings.Fields(first); len(f) > 0 && IsMagic(f[0]) {
		return Completeness{Status: complete}
	}
	lines, statements, continues := c.goLines()
	if continues {
		return Completeness{Status: incomplete}
	}
	if statements < 0 {
		return goComplete(strings.Join(lines, "\n"), true)
	}
	if above := goComplete(strings.Join(lines[:statements], "\n"), true); above.Status != complete {
		return Completeness{Status: invalid}
	}
	return goComplete(strings.Join(lines[statements:], "\n"), false)
}

// goLines returns the cell's lines without magics, which are left empty, the index of the line from which on they are
// statements, -1 if none is, and whether the last goes on.
func (c Cell) goLines() (lines []string, statements int, continues bool) {
	lines, statements = slices.Clone(c.Lines), -1
	for i, line := range lines {
		line = Trimmed(line)
		magic := len(line) > 1 && (line[0] == '!' || line[0] == '%')
		if magic && (line == "%%" || strings.HasPrefix(line, "%% ") || strings.HasPrefix(line, "%main")) {
			statements = i
		}
		if magic || continues {
			lines[i] = ""
			continues = strings.HasSuffix(line, "\\")
		}
	}
	return lines, statements, continues
}

// goComplete judges Go: declarations or, if both is set, statements too, which the compiler then refuses with advice.
func goComplete(code string, both bool) Completeness {
	if strings.TrimSpace(code) == "" {
		return Completeness{Status: complete}
	}
	depth, open, ok := brackets(code)
	switch {
	case !ok:
		return Completeness{Status: invalid}
	case open || depth > 0:
		return Completeness{Status: incomplete, Indent: strings.Repeat("\t", depth)}
	case parses(code, both):
		return Completeness{Status: complete}
	}
	return Completeness{Status: invalid}
}

// brackets returns how many brackets are open at the end, and whether the code cannot end there; ok is false if a
// bracket closes what it should not, or a token is none.
func brackets(code string) (depth int, open, ok bool) {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(code))
	bad, cut := false, false
	var s scanner.Scanner
	s.Init(file, []byte(code), func(_ token.Position, msg string) {
		if strings.Contains(msg, "comment not terminated") || strings.Contains(msg, "raw string literal not terminated") {
			cut = true
		} else {
			bad = true
		}
	}, 0)
	closer := map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK,
		token.LBRACE: token.RBRACE}
	var stack []token.Token
	last := token.SEMICOLON
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if end, isOpen := closer[tok]; isOpen {
			stack = append(stack, end)
		}
		if tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE {
			if len(stack) == 0 || stack[len(stack)-1] != tok {
				return 0, false, false
			}
			stack = stack[:len(stack)-1]
		}
		if tok != token.SEMICOLON || lit != "\n" {
			last = tok
		} else if last != token.SEMICOLON {
			last = token.SEMICOLON
		}
	}
	if bad && !cut {
		return 0, false, false
	}
	waits := last.IsOperator() && !slices.Contains([]token.Token{token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE,
		token.INC,
		token.DEC, token.ELLIPSIS}, last) || slices.Contains([]token.Token{token.FUNC, token.VAR, token.TYPE, token.CONST,
		token.IMPORT,
		token.IF, token.FOR, token.ELSE, token.SWITCH, token.SELECT, token.GO, token.DEFER, token.RANGE, token.STRUCT,
		token.INTERFACE,
		token.CASE, token.DEFAULT, token.MAP, token.CHAN}, last)
	return len(stack), cut || waits, true
}

// parses reports whether the code is a file without its package clause or, if both or not a file, a body.
func parses(code string, both bool) bool {
	fset := token.NewFileSet()
	file := func(s string) bool {
		_, err := parser.ParseFile(fset, "", s, parser.SkipObjectResolution)
		return err == nil
	}
	if file("package p\n" + code) {
		return true
	}
	if file("package p\nfunc _() {\n" + code + "\n}") {
		return true
	}
	return !both && mixed(fset, code)
}

// mixed reports whether the code is declarations of functions among statements, as live cells may have it.
func mixed(fset *token.FileSet, code string) bool {
	f, _ := parser.ParseFile(fset, "", "package p\n"+code, parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		return false
	}
	rest := []byte("package p\n" + code)
	found := false
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl, *ast.GenDecl:
			if g, isGen := d.(*ast.GenDecl); isGen && g.Tok != token.IMPORT {
				continue
			}
			from, to := fset.Position(d.Pos()).Offset, fset.Position(d.End()).Offset
			if from < 0 || to > len(rest) || from > to {
				return false
			}
			for i := from; i < to; i++ {
				if rest[i] != '\n' {
					rest[i] = ' '
				}
			}
			found = true
		}
	}
	if !found {
		return false
	}
	body := strings.TrimPrefix(string(rest), "package p\n")
	_, err := parser.ParseFile(fset, "", "package p\nfunc _() {\n"+body+"\n}", parser.SkipObjectResolution)
	return err == nil
}
