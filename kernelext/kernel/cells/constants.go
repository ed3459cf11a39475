package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// WithValues writes the values out that groups of constants leave out or count by iota, where a line names several:
// GoNB puts each name on a line of its own, where iota is another number. It also knows constants by their names, and
// so blank ones get names. Lines stay where they are.
func (c Cell) WithValues() Cell {
	lines, statements, _ := c.goLines()
	if statements >= 0 {
		lines = lines[:statements]
	}
	text := strings.Join(lines, "\n")
	const head = "package p;"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+text, parser.SkipObjectResolution)
	if err != nil {
		return c // the compiler will say why
	}
	source := func(n ast.Node) string {
		return text[fset.Position(n.Pos()).Offset-len(head) : fset.Position(n.End()).Offset-len(head)]
	}
	var edits []edit
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST && g.Lparen.IsValid() {
			edits = append(edits, written(g, source)...)
		}
	}
	if len(edits) == 0 {
		return c
	}
	for _, e := range slices.Backward(edits) {
		from, to := fset.Position(e.spec.Pos()).Offset-len(head), fset.Position(e.spec.End()).Offset-len(head)
		text = text[:from] + e.text + text[to:]
	}
	out := slices.Clone(c.Lines)
	for i, line := range strings.Split(text, "\n") {
		if line != lines[i] {
			out[i] = line
		}
	}
	return New(strings.Join(out, "\n"))
}

// edit is a line of a group and what stands for it.
type edit struct {
	spec *ast.ValueSpec
	text string
}

// written returns the lines of a group with their values, none if all name one constant or a value goes over lines.
func written(g *ast.GenDecl, source func(ast.Node) string) (edits []edit) {
	several, names := false, blanks(g)
	var last *ast.ValueSpec
	for i, sp := range g.Specs {
		spec := sp.(*ast.ValueSpec)
		several = several || len(spec.Names) > 1
		if len(spec.Values) > 0 {
			last = spec
		}
		if last == nil || len(last.Values) != len(spec.Names) {
			return nil
		}
		var list, values []string
		for _, n := range spec.Names {
			list = append(list, names[n])
		}
		for _, v := range last.Values {
			values = append(values, counted(v, i, source))
		}
		line := strings.Join(list, ", ")
		if last.Type != nil {
			line += " " + source(last.Type)
		}
		line += " = " + strings.Join(values, ", ")
		if strings.Contains(line, "\n") {
			return nil
		}
		edits = append(edits, edit{spec, line})
	}
	if several {
		return edits
	}
	edits = nil
	for _, sp := range g.Specs {
		if spec := sp.(*ast.ValueSpec); spec.Names[0].Name == "_" {
			edits = append(edits, edit{spec, names[spec.Names[0]] + strings.TrimPrefix(source(spec), "_")})
		}
	}
	return edits
}

// blanks returns the names of a group, those of blank constants after the first other one.
func blanks(g *ast.GenDecl) map[*ast.Ident]string {
	names, first := map[*ast.Ident]string{}, "_"
	for _, sp := range slices.Backward(g.Specs) {
		for _, n := range slices.Backward(sp.(*ast.ValueSpec).Names) {
			if n.Name != "_" {
				first = n.Name
			}
		}
	}
	for i, sp := range g.Specs {
		for j, n := range sp.(*ast.ValueSpec).Names {
			if names[n] = n.Name; n.Name == "_" && first != "_" {
				names[n] = fmt.Sprintf("_%s_%d_%d", first, i, j)
			}
		}
	}
	return names
}

// counted is the source of a value with the number that iota is.
func counted(v ast.Expr, iota int, source func(ast.Node) string) string {
	text := source(v)
	var at []int
	ast.Inspect(v, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "iota" {
			at = append(at, int(id.Pos()-v.Pos()))
		}
		return true
	})
	for _, i := range slices.Backward(at) {
		text = text[:i] + fmt.Sprint(iota) + text[i+len("iota"):]
	}
	return text
}
