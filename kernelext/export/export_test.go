package export_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/export"
)

// notebook makes a notebook of code cells; one that begins with # is Markdown.
func notebook(t *testing.T, cells ...string) []byte {
	t.Helper()
	var list []map[string]any
	for i, c := range cells {
		kind := "code"
		if strings.HasPrefix(c, "#") {
			kind = "markdown"
		}
		var source any = c
		if i%2 == 1 {
			source = strings.SplitAfter(c, "\n")
		}
		list = append(list, map[string]any{"cell_type": kind, "source": source, "metadata": map[string]any{}})
	}
	data, err := json.Marshal(map[string]any{"cells": list, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// run builds and runs a program within the module.
func run(t *testing.T, source []byte) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, source)
	}
	var out bytes.Buffer
	cmd := exec.Command(bin)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	if err := cmd.Run(); err != nil {
		out.WriteString(err.Error())
	}
	return out.String()
}

// The program prints what the cells print and show.
func TestGo(t *testing.T) {
	source, notes, err := export.Go(notebook(t,
		"# A notebook\n\nIts cells.",
		"%%live\nx := 2\nfunc twice(n int) int { return n * x } // by x\ntwice(4)",
		"# compiled",
		"import str \"strings\"\n\n// Kind is a kind.\ntype Kind int\n\nfunc (k Kind) String() string { return \"kind!\" "+
			"}\n\n%%\nfmt.Println(Kind(1), str.ToUpper(\"a\"))",
		"%%live\nx = 5\ntwice(4)",
		"%%live\n%who\ntype P struct{ A int; b string }\nl := []P{{1, `a`}, {2, `b`}}\nl",
		"!ls\nvar shared = \"both\"",
		"%%parameters\nvar lr = 0.5",
		"%%live\nlr * 4",
		"%%\nfmt.Println(lr, shared)",
		"%%live\ng := must(Toy(1))\nn, err := strconv.Atoi(`12`)\nif err == nil { fmt.Println(n, g.NumEdges()) "+
			"}\nstrconv.Atoi(`7`)",
		"%%live\nvar a, c = b + 1, `c`\nvar b = 41\nfmt.Println(a, b, c)\nvar late []int\nlate = append(late, a)\nlate, "+
			"more := late[:0], 3\nlen(late) + more",
		"%%live\nfunc init() { fmt.Println(`init`) }\nrand := rand.New(rand.NewPCG(1, 2))\nfmt.Println(`after`, rand.IntN(1))",
		"%%live\nfor i := range 3 {\n\tif i == 1 "+
			"{\n\t\tcontinue\n\t}\n\tfmt.Print(i)\n}\nfmt.Println()\nShow(`shown`)\nlab.Example().NumEdges()",
		"%%live\nrand.IntN(1) + 4",
		"%%live\nvar e error\ne",
		"%%live\nstrconv.Atoi(`x`)",
		"%%live\nfmt.Println(`not reached`)",
	))
	if err != nil {
		t.Fatal(err)
	}
	want := "8\nkind! A\n20\n2 rows\nA  b\n1  a\n2  b\n2\n0.5 both\n12 74\n7\n42 41 c\n3\ninit\nafter " +
		"0\n02\nshown\n14\n4\n<nil>\n" +
		"strconv.Atoi: parsing \"x\": invalid syntax\nexit status 1"
	if got := run(t, source); got != want {
		t.Errorf("%s\nprints\n%s\nwant\n%s", source, got, want)
	}
	if got := strings.Join(notes, ", "); got != "cell 4: %who is left out, cell 5: !ls is left out" {
		t.Error(got)
	}
	for _, part := range []string{"// # A notebook\n//\n// Its cells.\nfunc cell1() {",
		"// Kind is a kind.\ntype Kind int"} {
		if !strings.Contains(string(source), part) {
			t.Errorf("%q is not in\n%s", part, source)
		}
	}
}

// A method may stand in a later cell, and a variable that a cell declares again is zero.
func TestLater(t *testing.T) {
	source, _, err := export.Go(notebook(t,
		"%%live\ntype P struct{ X int }\nfunc mk() P { return P{2} }",
		"%%live\nvar n int\np := mk()\nn += p.X\nn",
		"%%live\nfunc (p P) Norm() int { return p.X * p.X + n }\nfunc (p P) S() string { return `s` }",
		"%%live\nvar n int\nn += p.Norm()\nn"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, source), "2\n4\n"; got != want {
		t.Errorf("%q, want %q:\n%s", got, want, source)
	}
	if _, _, err := export.Go(notebook(t, "%%live\ntype T int", "%%live\nfunc (T) A() int { return 1 }",
		"%%live\nfunc (T) A() string { return `` }")); err == nil {
		t.Error("a method that changes")
	}
}

// What a program cannot have is an error that names the cell.
func TestErrors(t *testing.T) {
	for want, cells := range map[string][]string{
		"cell 1: line 2: undefined: y":               {"%%live\ny + 1"},
		"cell 2: f is something else than in cell 1": {"func f() int { return 1 }", "func f() int { return 2 }"},
		"cell 2: T is something else than in cell 1": {"type T int", "%%live\ntype T string"},
		"cell 3: it changes what f of cell 2 means": {"%%live\nconst x = 1", "%%live\nfunc f() int { return x }",
			"%%live\nconst x = 2"},
		"cell 1: 1:":  {"x := 1"},
		"no notebook": nil,
		"cell 2: f is something else than in cell 1: a program has ": {"%%live\nfunc f() int { return 1 }",
			"%%live\nfunc f() int { return 2 }"},
		"no code cells": {"# text"},
	} {
		book := []byte("[]")
		if cells != nil {
			book = notebook(t, cells...)
		}
		if _, _, err := export.Go(book); err == nil || !strings.HasPrefix(err.Error(), "export: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", cells, err, want)
		}
	}
	if _, _, err := export.Go(notebook(t, "func f() {}", "func f() {}")); err != nil {
		t.Error(err)
	}
}

// A name that a later cell gives another meaning gets a number, and comments stay.
func TestNamesAndComments(t *testing.T) {
	source, _, err := export.Go(notebook(t,
		"%%live\n// x counts.\nx := 1 // one\nfunc f(n int) int {\n\t// inside\n\treturn n + 1 // more\n}\n// shown\nf(x)",
		"%%live\nx := `s` + fmt.Sprint(x)\nsort.Strings([]string{x})\nx",
		"%%live\nconst k = 2\nsort := len(x) // a length\nfor i := range k {\n\t// each\n\tfmt.Print(i, x, sort)\n}",
		"%%live\nvar k, y = 1.5, 2 // k again\nx = x + `!`\nfmt.Println(k, x, y)\n// the end"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, source), "2\ns1\n0s121s121.5 s1! 2\n"; got != want {
		t.Errorf("%q, want %q\n%s", got, want, source)
	}
	for _, part := range []string{"// x counts.\n\tx = 1 // one", "// inside", "// more", "// shown", "// a length", "// each",
		"// k again", "// the end", "x2 = `s` + fmt.Sprint(x)"} {
		if !strings.Contains(string(source), part) {
			t.Errorf("%q is not in\n%s", part, source)
		}
	}
}

// The notebooks of the project are programs, and those that change names compile.
func TestNotebooks(t *testing.T) {
	names, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		book, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source, _, err := export.Go(book)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if base := filepath.Base(name); base[:2] != "02" && base[:2] != "05" {
			continue
		}
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, source, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
