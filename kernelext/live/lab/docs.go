package lab

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.go
var sources embed.FS

// Doc is what there is to know about a name.
type Doc struct {
	Name      string
	Signature string // as a live cell calls it: without the package and the Lab
	Text      string // what it does
	Example   string // "" for none
}

// Docs returns the documentation of all functions and types, in the order of their names.
func Docs() ([]Doc, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	names, err := fs.Glob(sources, "*.go")
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := sources.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("lab: %w", err)
		}
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("lab: %w", err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "lab", doc.PreserveAST)
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	var list []Doc
	add := func(fn *doc.Func) { list = append(list, newDoc(fn.Name, signature(fset, fn.Decl), fn.Doc)) }
	for _, fn := range p.Funcs {
		add(fn)
	}
	for _, t := range p.Types {
		for _, fn := range t.Funcs {
			add(fn)
		}
		if t.Name == "Lab" {
			for _, m := range t.Methods {
				add(m)
			}
			continue
		}
		list = append(list, newDoc(t.Name, "type "+t.Name, t.Doc))
	}
	list = slices.DeleteFunc(list, func(d Doc) bool {
		return slices.Contains([]string{"New", "Notebook", "Docs", "Doc"},
			d.Name)
	})
	slices.SortFunc(list, func(a, b Doc) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// newDoc takes the indented lines of a comment for its example.
func newDoc(name, signature, comment string) Doc {
	d := Doc{Name: name, Signature: signature}
	var text, example []string
	for line := range strings.Lines(comment) {
		line = strings.TrimRight(line, "\n")
		if code, ok := strings.CutPrefix(line, "\t"); ok {
			example = append(example, code)
		} else {
			text = append(text, line)
		}
	}
	d.Text, d.Example = strings.TrimSpace(strings.Join(text, "\n")), strings.Join(example, "\n")
	return d
}

// signature writes a function without its body and receiver.
func signature(fset *token.FileSet, f *ast.FuncDecl) string {
	bare := &ast.FuncDecl{Name: f.Name, Type: f.Type}
	var b bytes.Buffer
	printer.Fprint(&b, fset, bare) // a buffer never fails
	return b.String()
}
