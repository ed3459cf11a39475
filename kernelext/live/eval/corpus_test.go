package eval_test

import (
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"maps"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/live/eval"
	"github.com/ddps-go/ddps/kernelext/live/symbols"
)

type program struct {
	id, decls, body string
	status          int
	out             string
}

// corpus reads the programs with what Go prints.
func corpus(t testing.TB) (list []program) {
	for _, name := range []string{"minimal", "min2", "order", "more", "kinds", "everyday", "mended"} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var want map[string][]any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "=== ")[1:] {
			head, rest, _ := strings.Cut(part, "\n")
			decls, body, _ := strings.Cut("\n"+rest, "\n%%\n")
			_, key, _ := strings.Cut(head, " ")
			w := want[head]
			if w == nil {
				w = want[key]
			}
			if w == nil {
				w = want[strings.Fields(head)[0]]
			}
			if w == nil {
				t.Fatal("no output of", head)
			}
			out := w[1].(string)
			if len(w) > 3 && version.Compare(runtime.Version(), "go1.27") >= 0 {
				out = w[3].(string) // messages of libraries are others there
			}
			list = append(list, program{head, decls, body, int(w[0].(float64)), out})
		}
	}
	return list
}

type world struct {
	*eval.Session
	out strings.Builder
	n   int
}

func newWorld(more ...eval.Tables) *world {
	w := &world{}
	t := eval.Tables{}
	for k, v := range symbols.Tables() {
		if k == "." {
			continue
		}
		t[k] = v
		for name := range v {
			if name[0] == '_' {
				delete(v, name)
			}
		}
	}
	for _, m := range more {
		maps.Copy(t, m)
	}
	var out io.Writer = &w.out
	t["os/os"]["Stdout"] = reflect.ValueOf(&out).Elem()
	t["fmt/fmt"]["Print"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(out, a...) })
	t["fmt/fmt"]["Printf"] = reflect.ValueOf(func(f string, a ...any) (int, error) { return fmt.Fprintf(out, f, a...) })
	t["fmt/fmt"]["Println"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(out, a...) })
	w.Session = eval.NewSession(eval.NewWorld(t), "")
	w.Stderr = out
	return w
}

func (w *world) run(code string) (values []any, err error) {
	w.n++
	c, err := w.Check(w.n, code)
	if err != nil {
		return nil, err
	}
	values, _, err2 := c.Run(eval.NewRun(), func(v any, trace []eval.Frame) { err = fmt.Errorf("panic: %v %v", v, trace) })
	if err2 != nil {
		err = err2
	}
	return values, err
}

// runAll runs cells in a world of their own until one fails.
func runAll(cells []string) (w *world, err error) {
	w = newWorld()
	for _, c := range cells {
		if _, err = w.run(c); err != nil {
			break
		}
	}
	return w, err
}

// Programs do in live cells what Go does: as two cells, as one, and in a function main.
func TestCorpus(t *testing.T) {
	right, refused := 0, 0
	for _, p := range corpus(t) {
		t.Run(p.id, func(t *testing.T) {
			for form, cells := range map[string][]string{"two cells": {p.decls, p.body}, "one cell": {p.decls + "\n" + p.body},
				"main": {p.decls + "\nfunc main() {\n" + p.body + "\n}"}} {
				w, err := runAll(cells)
				// timers of a busy machine
				for n := 0; n < 3 && strings.Contains(p.body, "time.AfterFunc") && w.out.String() != p.out; n++ {
					w, err = runAll(cells)
				}
				switch {
				case err != nil && strings.Contains(err.Error(), "compiled"):
					refused++
					t.Logf("%s: refused: %v", form, err)
				case err != nil:
					t.Errorf("%s: %v", form, err)
				case w.out.String() != p.out:
					t.Errorf("%s: %q, want %q", form, w.out.String(), p.out)
				default:
					right++
				}
			}
		})
	}
	t.Logf("%d right, %d refused", right, refused)
}
