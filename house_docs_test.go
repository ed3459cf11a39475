package ddps_test

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// What comments name: pkg.Name and pkg.Type.Name, and links such as [Name].
var (
	qualified = regexp.MustCompile(`(?:^|[^\w./"'*-])([a-z][a-z0-9]*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)`)
	linked    = regexp.MustCompile(`\[([A-Z]\w*[a-z]\w*)\]`)
)

// TestNamesInComments checks that what comments name is there, and that the comment of an exported function begins with
// its name.
func TestNamesInComments(t *testing.T) {
	all := map[string]bool{} // pkg.Name, pkg.Type.Name and pkg..Name, of a field or a method of any type
	packages := map[string]bool{}
	for _, s := range sources(t) {
		packages[s.ast.Name.Name] = true
		for _, name := range declared(s.ast) {
			all[s.ast.Name.Name+"."+name] = true
			if _, member, ok := strings.Cut(name, "."); ok {
				all[s.ast.Name.Name+".."+member] = true
			}
		}
	}
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Doc != nil && f.Name.IsExported() && !regexp.MustCompile(`^`+f.Name.Name+`\b`).MatchString(f.Doc.Text()) {
				t.Errorf("%s: the comment of %s begins with another name", s.at(f), f.Name.Name)
			}
		}
		for _, g := range s.ast.Comments {
			for _, m := range qualified.FindAllStringSubmatch(g.Text(), -1) {
				if packages[m[1]] && !all[m[1]+"."+m[2]] {
					t.Errorf("%s: package %s has no %s", s.at(g), m[1], m[2])
				}
			}
			for _, m := range linked.FindAllStringSubmatch(g.Text(), -1) {
				if p := s.ast.Name.Name; !all[p+"."+m[1]] && !all[p+".."+m[1]] {
					t.Errorf("%s: package %s has no %s", s.at(g), p, m[1])
				}
			}
		}
	}
}

// declared returns the names that a file declares, and Type.Name of methods and fields.
func declared(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if names = append(names, d.Name.Name); d.Recv != nil {
				names[len(names)-1] = receiver(d) + "." + d.Name.Name
			}
		case *ast.GenDecl:
			for _, x := range d.Specs {
				switch x := x.(type) {
				case *ast.TypeSpec:
					names = append(names, x.Name.Name)
					ast.Inspect(x.Type, func(n ast.Node) bool {
						if field, ok := n.(*ast.Field); ok {
							for _, id := range field.Names {
								names = append(names, x.Name.Name+"."+id.Name)
							}
						}
						return true
					})
				case *ast.ValueSpec:
					for _, id := range x.Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names
}
