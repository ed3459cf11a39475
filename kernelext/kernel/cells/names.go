package cells

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// declaration is what a compiled cell declares: its name, T.Do of a method, and its head with the words above it.
type declaration struct{ name, text string }

// declarations returns what a compiled cell declares, also one that does not parse to its end.
func declarations(c Cell) []declaration {
	first, _ := c.First()
	if _, _, live := c.Live(); live || IsMagic(strings.Fields(first + " -")[0]) {
		return nil
	}
	lines, statements, _ := c.goLines()
	if statements >= 0 {
		lines = lines[:statements]
	}
	src := "package p\n" + strings.Join(lines, "\n")
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		return nil
	}
	text := func(from, to token.Pos) string {
		i, j := fset.Position(from).Offset, min(fset.Position(to).Offset, len(src))
		return strings.TrimSpace(src[min(i, j):j])
	}
	var list []declaration
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			to := d.End()
			if d.Body != nil {
				to = d.Body.Pos()
			}
			list = append(list, declaration{receiver(d) + d.Name.Name, d.Doc.Text() + text(d.Pos(), to)})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				for _, name := range specNames(s) {
					list = append(list, declaration{name, d.Doc.Text() + d.Tok.String() + " " + text(s.Pos(), s.End())})
				}
			}
		}
	}
	return list
}

// receiver returns the name of a method's type and a dot, "" of a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if x, ok := t.(*ast.IndexExpr); ok {
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

func specNames(s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

// Declared returns what the cells that were run declare, and last, by name. The newest of a name counts, and nothing
// from before a %reset.
func (h *History) Declared(last Cell) map[string]string {
	all := map[string]string{}
	for _, e := range append(h.All(), Entry{Code: last.Code}) {
		c := New(e.Code)
		if c.Resets() {
			clear(all)
		}
		for _, d := range declarations(c) {
			all[d.name] = d.text
		}
	}
	return all
}

// Names returns what may stand at byte at of a compiled cell, and the byte at which it starts, as far as is known
// without gopls: names of packages, of declarations and of the cell, and what packages have. members is Live's Members.
func (h *History) Names(code string, at int, members func(string) []string) (names []string, start int) {
	word := wordBefore(code, at)
	start = at - len(word)
	set := map[string]bool{}
	if dot := strings.LastIndexByte(word, '.'); dot >= 0 {
		start += dot + 1
		if dot > 0 {
			for _, name := range members(imported(code, word[:dot])) {
				set[name] = true
			}
		}
	} else {
		for t := token.BREAK; t <= token.VAR; t++ {
			set[t.String()] = true
		}
		for name := range h.Declared(New(code)) {
			set[name] = !strings.Contains(name, ".")
		}
		for _, name := range slices.Concat(members(""), predeclared, identifiers(code[:start]+" "+code[at:])) {
			set[name] = true
		}
	}
	for name, ok := range set {
		if ok && strings.HasPrefix(name, code[start:at]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, start
}

// NameAt returns the name at a byte of the code, with its package: chain.Fit.
func NameAt(code string, at int) string {
	part := func(r rune) bool { return r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	from, to := at, at
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(code[:from])
		if !part(r) {
			break
		}
		from -= n
	}
	for to < len(code) {
		r, n := utf8.DecodeRuneInString(code[to:])
		if r == '.' || !part(r) {
			break
		}
		to += n
	}
	return strings.Trim(code[from:to], ".")
}

// wordBefore returns the dotted name that ends at byte at.
func wordBefore(code string, at int) string {
	before := NameAt(code[:at], at)
	for _, end := range []string{before + ".", before} { // NameAt leaves out a dot at the end
		if strings.HasSuffix(code[:at], end) {
			return end
		}
	}
	return ""
}

// imported returns the name by which Members knows the package that code calls name: it may import it under another.
func imported(code, name string) string {
	lines, _, _ := New(code).goLines()
	f, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+strings.Join(lines, "\n"), parser.ImportsOnly)
	if f == nil {
		return name
	}
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil && s.Name != nil && s.Name.Name == name {
			return path.Base(p)
		}
	}
	return name
}

// predeclared are the commoner names that Go declares by itself.
var predeclared = []string{"any", "append", "bool", "byte", "cap", "clear", "close", "copy", "delete", "error", "false",
	"float64", "int",
	"len", "make", "max", "min", "new", "nil", "panic", "string", "true"}

// identifiers returns the names in code.
func identifiers(code string) (names []string) {
	lines, _, _ := New(code).goLines()
	src := []byte(strings.Join(lines, "\n"))
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return names
		}
		if tok == token.IDENT {
			names = append(names, lit)
		}
	}
}
