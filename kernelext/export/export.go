// Package export makes a Go program of a notebook.
//
//	export.go   the notebook, and the program that is put together
//	live.go     cells %%live
//	compiled.go cells that GoNB compiles
package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/imports"
)

// book is what a notebook file has for us.
type book struct {
	Cells []struct {
		Type   string `json:"cell_type"`
		Source text   `json:"source"`
	} `json:"cells"`
}

// text is a string, or lines of one.
type text string

// UnmarshalJSON reads both forms.
func (t *text) UnmarshalJSON(data []byte) error {
	var lines []string
	if err := json.Unmarshal(data, &lines); err == nil {
		*t = text(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// program is what the cells give.
type program struct {
	number  int // of the code cell at hand, from 1
	imports map[string]string
	names   map[string]declared // what is at the top, by name
	tops    []string            // declarations as text
	funcs   []string            // a function a cell
	calls   []string            // of main
	must    map[string]bool
	notes   []string
	lab     bool // the facade's functions that show something are used
	live    *liveCells
}

// declared is where a name comes from.
type declared struct {
	cell int
	text string
}

// Go returns a notebook as a program of one file: a function for each cell that does something, called by main in the
// order of the cells; declarations and variables of cells at the top. Values that cells show are printed. notes say
// what is left out: magics, shell commands. The error names the cell that a program cannot have, such as one that gives
// a name another meaning.
func Go(notebook []byte) (source []byte, notes []string, err error) {
	var b book
	if err := json.Unmarshal(notebook, &b); err != nil {
		return nil, nil, fmt.Errorf("export: no notebook: %w", err)
	}
	p := &program{imports: map[string]string{}, names: map[string]declared{}, must: map[string]bool{}}
	p.live = newLiveCells(p)
	comment := ""
	for _, c := range b.Cells {
		switch c.Type {
		case "markdown":
			comment = commented(string(c.Source))
		case "code":
			p.number++
			before := len(p.funcs)
			if err := p.cell(strings.ReplaceAll(string(c.Source), "\r\n", "\n")); err != nil {
				return nil, nil, fmt.Errorf("export: cell %d: %w", p.number, err)
			}
			if len(p.funcs) > before {
				p.funcs[before] = comment + p.funcs[before]
			}
			comment = ""
		}
	}
	if p.number == 0 {
		return nil, nil, errors.New("export: no code cells")
	}
	raw := p.assemble()
	out, err := imports.Process("main.go", []byte(raw), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("export: %w", err)
	}
	return out, p.notes, nil
}

// commented writes Markdown as a comment.
func commented(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return "// " + strings.ReplaceAll(s, "\n", "\n// ") + "\n"
}

func (p *program) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf("cell %d: ", p.number)+fmt.Sprintf(format, args...))
}

// cell adds a code cell.
func (p *program) cell(code string) error {
	lines := strings.Split(code, "\n")
	first := 0
	for first < len(lines)-1 && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	switch word := strings.TrimSpace(lines[first]); {
	case word == "%%time":
		lines[first] = ""
		return p.cell(strings.Join(lines, "\n"))
	case word == "%%live":
		lines[first] = ""
		return p.live.add(lines, true)
	case word == "%%parameters": // known to live cells, and compiled
		lines[first] = ""
		if err := p.live.add(slices.Clone(lines), false); err != nil {
			return err
		}
		return p.compiled(lines)
	case strings.HasPrefix(word, "%%") && word != "%%" && !strings.HasPrefix(word, "%% "):
		p.note("%s is left out", strings.Fields(word)[0])
		return nil
	case strings.HasPrefix(word, "?"):
		return nil
	}
	return p.compiled(lines)
}

// declare adds a declaration at the top. The same one again is one.
func (p *program) declare(names []string, text string) error {
	same := false
	for _, n := range names {
		if n == "_" {
			continue
		}
		if path, ok := p.imports[n]; ok {
			return fmt.Errorf("%s is package %s in a cell above: a program has one", n, path)
		}
		if d, ok := p.names[n]; ok {
			if d.text != text {
				return fmt.Errorf("%s is something else than in cell %d: a program has one", n, d.cell)
			}
			same = true
			continue
		}
		p.names[n] = declared{p.number, text}
	}
	if !same {
		p.tops = append(p.tops, text)
	}
	return nil
}

// importAs notes an import.
func (p *program) importAs(name, path string) error {
	if have, ok := p.imports[name]; ok && have != path {
		return fmt.Errorf("%s is package %s here and %s above", name, path, have)
	}
	if d, ok := p.names[name]; ok {
		return fmt.Errorf("package %s has a name that cell %d declares: a program has one", path, d.cell)
	}
	p.imports[name] = path
	return nil
}

// run adds a function of the cell that main calls.
func (p *program) run(body string) {
	if strings.TrimSpace(body) == "" {
		return
	}
	name := fmt.Sprintf("cell%d", p.number)
	p.funcs = append(p.funcs, "func "+name+"() {\n"+body+"\n}\n")
	p.calls = append(p.calls, name+"()")
}

// helpers are must in its forms.
func helpers() map[string]string {
	return map[string]string{
		"must1": "func must1[T any](v T, err error) T {\n\tmust0(err)\n\treturn v\n}\n",
		"must0": "func must0(err error) {\n\tif err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n}\n",
		"must2": "func must2[A, B any](a A, b B, err error) (A, B) {\n\tmust0(err)\n\treturn a, b\n}\n",
		"must3": "func must3[A, B, C any](a A, b B, c C, err error) (A, B, C) {\n\tmust0(err)\n\treturn a, b, c\n}\n",
	}
}

func (p *program) assemble() string {
	if len(p.must) > 0 {
		p.must["must0"] = true
		p.imports["fmt"], p.imports["os"] = "fmt", "os"
	}
	if p.lab {
		p.imports["lab"], p.imports["context"] = labPath, "context"
		p.tops = append([]string{"// notebook is where the facade's functions show what they do.\nvar notebook = " +
			"lab.Notebook(context.Background())"}, p.tops...)
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, name := range slices.Sorted(maps.Keys(p.imports)) {
		path := p.imports[name]
		if base := path[strings.LastIndexByte(path, '/')+1:]; base == name {
			fmt.Fprintf(&b, "\t%q\n", path)
		} else {
			fmt.Fprintf(&b, "\t%s %q\n", name, path)
		}
	}
	b.WriteString(")\n\n")
	for _, t := range p.tops {
		b.WriteString(t + "\n\n")
	}
	b.WriteString("func main() {\n\t" + strings.Join(p.calls, "\n\t") + "\n}\n\n")
	for _, f := range p.funcs {
		b.WriteString(f + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(p.must)) {
		b.WriteString(helpers()[name] + "\n")
	}
	return b.String()
}
