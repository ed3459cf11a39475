package export

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/live/eval"
	"github.com/ddps-go/ddps/kernelext/live/lab"
	"github.com/ddps-go/ddps/kernelext/live/symbols"
)

const labPath = "github.com/ddps-go/ddps/kernelext/live/lab"

// liveCells checks live cells, one after the other, and runs none.
type liveCells struct {
	p       *program
	s       *eval.Session
	methods map[string]bool // functions of the facade that belong to a Lab
	alias   map[types.Object]string
}

func newLiveCells(p *program) *liveCells {
	tables := eval.Tables(symbols.Tables())
	l := reflect.ValueOf(lab.New(context.Background, kernelext.Notebook(), nil))
	out := &liveCells{p: p, methods: map[string]bool{}, alias: map[types.Object]string{}}
	for i := range l.NumMethod() {
		name := l.Type().Method(i).Name
		tables[labPath+"/lab"][name] = l.Method(i)
		out.methods[name] = true
	}
	out.s = eval.NewSession(eval.NewWorld(tables), labPath)
	return out
}

// name is what the program calls a variable or constant of cells. One that a later cell defines with another meaning,
// or that has the name of a package, gets a number: what earlier cells call by the name they keep.
func (l *liveCells) name(obj types.Object, declared string) string {
	name := obj.Name()
	if declared == "" {
		if a := l.alias[obj]; a != "" {
			return a
		}
		return name
	}
	text := declared
	for i := 2; ; i++ {
		if _, ok := obj.(*types.Var); ok {
			text = "var " + name + " " + declared
		}
		_, imported := l.p.imports[name]
		if d, ok := l.p.names[name]; !imported && (!ok || d.text == text) {
			l.alias[obj] = name
			return name
		}
		name = obj.Name() + strconv.Itoa(i)
	}
}

// bare is what the facade's name is in a program.
func (l *liveCells) bare(name string) string {
	if l.methods[name] {
		l.p.lab = true
		return "notebook." + name
	}
	l.p.imports["lab"] = labPath
	return "lab." + name
}

// placed says at which line of the cell an error is.
func placed(err error) error {
	var f *eval.Failure
	if errors.As(err, &f) && f.Line > 0 {
		return fmt.Errorf("line %d: %w", f.Line, err)
	}
	return err
}

// add adds the lines of a live cell; without write it is only made known to the cells below.
func (l *liveCells) add(lines []string, write bool) error {
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if !strings.HasPrefix(line, "%") {
			break
		}
		if write && line != "%%time" {
			l.p.note("%s is left out", line)
		}
		lines[i] = ""
	}
	c, err := l.s.Check(l.p.number, strings.Join(lines, "\n"))
	if err != nil {
		return placed(err)
	}
	src, err := c.Source(eval.Words{Bare: l.bare, Name: l.name, Show: "notebook.Show",
		Prefix: fmt.Sprintf("cell%d", l.p.number)})
	if err != nil {
		return placed(err)
	}
	if !write {
		return nil
	}
	l.p.lab = l.p.lab || strings.Contains(src.Body, "notebook.Show(")
	for name, path := range src.Imports {
		if err := l.p.importAs(name, path); err != nil {
			return err
		}
	}
	for _, d := range append(src.Vars, src.Decls...) {
		if err := l.p.declare(strings.Fields(d.Name), d.Text); err != nil {
			return err
		}
	}
	for name := range src.Must {
		l.p.must[name] = true
	}
	l.p.run(src.Body)
	return nil
}
