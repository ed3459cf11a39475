package ddps_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ddps-go/ddps/"

// arrows says which packages of the module a package may import, besides those below itself. A directory speaks
// for those below it that are not named; a/... is a and all below it.
var arrows = map[string][]string{
	"internal/jsonkeys": {}, // on the standard library alone
	"internal/pcg":      {}, // likewise
	"internal":          {}, // what has no science in it
	"ddps":              {"internal/jsonkeys", "internal/pcg"},
	"ddps/chain":        {"ddps", "ddps/internal"},
	"ddps/internal":     {"ddps", "internal/jsonkeys", "internal/pcg"},
	"ddps/d3pm":         {"ddps", "ddps/chain", "ddps/internal"},
	"ddps/guide":        {"internal", "ddps", "ddps/chain", "ddps/mixture", "ddps/internal"},
	"ddps/exactsum":     {},
	"ddps/em":           {"ddps", "ddps/chain", "ddps/exactsum", "ddps/mixture", "ddps/model"},
	"ddps/metrics":      {"ddps", "ddps/chain"},
	"ddps/baselines":    {"ddps", "ddps/chain", "ddps/internal"},
	"datasets": {"internal", "ddps", "ddps/chain", "ddps/mixture", "datasets/maps",
		"datasets/internal"},
	"datasets/internal":  {"internal", "internal/jsonkeys", "ddps"},
	"datasets/maps":      {"internal", "ddps", "datasets/internal"},
	"datasets/pathfile":  {"internal", "ddps", "datasets", "datasets/internal"},
	"datasets/tracks":    {"internal", "ddps", "datasets", "datasets/internal"},
	"datasets/sequences": {"internal", "ddps", "datasets", "datasets/internal"},
	"datasets/slots": {"internal", "ddps", "datasets", "datasets/maps", "datasets/tracks",
		"datasets/internal"},
	"ddps/compare": {"ddps", "ddps/chain", "ddps/mixture", "ddps/metrics", "datasets/..."},
	"ddps/query": {"internal", "ddps", "ddps/internal", "ddps/chain", "ddps/mixture", "ddps/model", "ddps/d3pm",
		"ddps/guide", "ddps/metrics", "ddps/stack", "datasets"},
	"ddps/run": {"internal", "ddps", "ddps/query", "ddps/chain", "ddps/mixture", "ddps/net", "ddps/model", "ddps/train",
		"ddps/d3pm", "ddps/guide", "ddps/metrics", "ddps/compare", "datasets/...", "ddps/markov", "ddps/stack"},
	"ddps/study": {"internal", "ddps", "ddps/chain", "ddps/mixture", "ddps/net", "ddps/model", "ddps/train",
		"ddps/d3pm", "ddps/guide", "ddps/metrics", "ddps/baselines", "ddps/compare",
		"ddps/run", "ddps/query", "datasets/..."},
	"ddps/mixture":       {"ddps", "ddps/chain", "ddps/internal"},
	"ddps/net":           {"ddps", "ddps/chain", "ddps/mixture", "ddps/internal"},
	"ddps/internal/fast": {"ddps", "ddps/chain", "ddps/mixture", "ddps/net", "ddps/d3pm", "ddps/internal", "internal/pcg"},
	"ddps/internal/xla":  {"ddps", "ddps/chain", "ddps/mixture", "ddps/net", "ddps/d3pm", "ddps/internal"},
	"ddps/model": {"ddps", "ddps/chain", "ddps/mixture", "ddps/net", "ddps/d3pm", "ddps/internal",
		"ddps/internal/fast", "ddps/internal/xla", "ddps/markov", "ddps/stack", "ddps/guide"},
	"ddps/train": {"ddps", "ddps/chain", "ddps/mixture", "ddps/net", "ddps/d3pm", "ddps/model",
		"ddps/internal"},
	"ddps/markov":       {"ddps", "ddps/chain", "ddps/internal"},
	"ddps/stack":        {"ddps", "ddps/chain", "ddps/mixture", "ddps/markov", "ddps/internal"},
	"ddps/plugin":       {"ddps/internal"},
	"ddps/shard":        {"ddps"},
	"ddps/shard/submit": {},
	"datasets/blocks": {"internal", "ddps", "datasets", "datasets/internal", "datasets/pathfile",
		"datasets/sequences"},
	"plots":                     {"internal", "ddps"},
	"plots/paper":               {"ddps", "ddps/compare", "ddps/query", "ddps/run", "ddps/study", "plots"},
	"kernelext":                 {"internal", "ddps/...", "datasets/...", "plots", "plots/paper"},
	"kernelext/kernel":          {"kernelext", "internal", "datasets/...", "ddps", "plots", "kernelext/kernel/..."},
	"kernelext/kernel/internal": {},
	"kernelext/kernel/jupyter":  {"internal"},
	"kernelext/kernel/setup":    {"internal", "kernelext/kernel/jupyter"},
	"kernelext/kernel/cells":    {"kernelext/kernel/gonb"},
	"kernelext/kernel/gonb":     {"kernelext", "internal", "kernelext/kernel/jupyter", "kernelext/kernel/setup"},
	"notebooks":                 {"ddps/...", "datasets/...", "plots", "plots/paper", "kernelext/..."},
	"scale":                     {"ddps/...", "datasets/..."},
	"bench":                     {"internal", "ddps/...", "datasets/...", "plots", "plots/paper"},
	"cmd": {"ddps/...", "datasets/...", "plots", "plots/paper", "kernelext/...", "notebooks",
		"internal", "cmd/..."},
	"cmd/ddps/internal/clitest":  {},
	"cmd/ddps/internal/cli":      {"internal", "ddps/...", "datasets/...", "plots"},
	"cmd/ddps/internal/graphcmd": {"internal", "ddps/...", "datasets/...", "plots", "cmd/ddps/internal/cli"},
	"cmd/ddps/internal/pathcmd":  {"internal", "ddps/...", "datasets/...", "cmd/ddps/internal/cli"},
	"cmd/ddps/internal/modelcmd": {"internal", "ddps/...", "datasets/...", "plots", "cmd/ddps/internal/cli"},
	"cmd/ddps/internal/traincmd": {"internal", "ddps/...", "datasets/...", "plots", "cmd/ddps/internal/cli"},
	"cmd/ddps/internal/reproducecmd": {"internal", "ddps/...", "datasets/...", "plots", "plots/paper",
		"cmd/ddps/internal/cli"},
	"cmd/ddps/internal/shardcmd": {"internal", "ddps/...", "datasets/...", "cmd/ddps/internal/cli"},
	"cmd/ddps/internal/kernelcmd": {"internal", "ddps/...", "datasets/...", "plots", "kernelext/...", "notebooks",
		"cmd/ddps/internal/cli"},
}

// fences says where a module from outside, or a package of the standard library, may be imported.
var fences = map[string][]string{
	"github.com/gomlx":           {"ddps/net", "ddps/train", "ddps/baselines", "ddps/internal", "bench"},
	"gonum.org/v1/plot":          {"plots", "kernelext", "cmd", "bench"},
	"github.com/janpfeifer/gonb": {"kernelext"},
	"github.com/go-zeromq":       {"kernelext"},
	"github.com/spf13":           {"cmd"},
	"gocloud.dev":                {"scale", "ddps/shard"},
	"github.com/apache":          {"scale"},
	"flag":                       {"cmd", "bench", "scale/cmd", "kernelext/live"},
	"C":                          {"ddps/internal/backend"}, // with the tag xla
}

// maxLines is the most that a file may have; tests and generated files may have more.
const maxLines = 250

// longFiles are the files that have more, with the reason.
var longFiles = map[string]string{}

// banned must not occur in the tree: paths of one machine.
var banned = []string{"/ro" + "ot/", "/wo" + "rk/", "/ho" + "me/runner"}

// source is a Go file that is no test, whatever its build constraints.
type source struct {
	file string // from the module's root
	dir  string
	ast  *ast.File
	fset *token.FileSet
}

func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.file, s.fset.Position(n.Pos()).Line)
}

// files calls f for each file that belongs to the tree.
func files(t *testing.T, f func(name string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && name != "." && name != ".ci"
			if hidden || slices.Contains([]string{"runs", "notebooks/runs", "out", "quickstart", "vendor"}, name) {
				return fs.SkipDir
			}
			return nil
		}
		if name != ".git" { // a file in a linked working tree
			f(filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sources parses all files that are no tests.
func sources(t *testing.T) []source {
	t.Helper()
	var list []source
	fset := token.NewFileSet()
	files(t, func(name string) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/") {
			return
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, source{name, path.Dir(name), f, fset})
	})
	if len(list) == 0 {
		t.Fatal("no source found")
	}
	return list
}

// under reports whether dir is one of the directories, or below one.
func under(dir string, directories []string) bool {
	return slices.ContainsFunc(directories, func(f string) bool { return dir == f || strings.HasPrefix(dir, f+"/") })
}

// home returns the directory of arrows that speaks for dir, "" if none does.
func home(dir string) string {
	for d := dir; d != "."; d = path.Dir(d) {
		if _, ok := arrows[d]; ok && (d != "ddps" || dir == "ddps") {
			return d
		}
	}
	return ""
}

// names reports whether an entry of arrows is of a directory: a/... is of a and of all below it.
func names(entry, dir string) bool {
	directory, all := strings.CutSuffix(entry, "/...")
	return dir == directory || all && strings.HasPrefix(dir, directory+"/")
}

// wrongImport says what is wrong with a file of dir importing p, "" if nothing.
func wrongImport(dir, p string) string {
	h := home(dir)
	if h == "" {
		return "the package has no place in the house: name it in arrows"
	}
	if to, own := strings.CutPrefix(p, module); own {
		if to == "ddps/internal/oracle" {
			return "only tests may import the oracle"
		}
		if inner := home(to); inner == h || slices.ContainsFunc(arrows[h], func(a string) bool { return names(a, inner) }) {
			return ""
		}
		return "arrows point one way: " + h + " may import " + strings.Join(arrows[h], ", ")
	}
	if h == "ddps" && strings.Contains(strings.SplitN(p, "/", 2)[0], ".") {
		return "package ddps lives on the standard library"
	}
	for mod, where := range fences {
		if (p == mod || strings.HasPrefix(p, mod+"/")) && !under(dir, where) {
			return "belongs in " + strings.Join(where, ", ")
		}
	}
	return ""
}

func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		for _, i := range s.ast.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := wrongImport(s.dir, p); why != "" {
				t.Errorf("%s: import %q: %s", s.at(i), p, why)
			}
		}
	}
}

// The rules themselves: what they must refuse and let pass.
func TestImportRules(t *testing.T) {
	for _, c := range []struct {
		dir, imports string
		ok           bool
	}{
		{"ddps", "math/rand/v2", true},
		{"ddps", "golang.org/x/exp/rand", false},
		{"ddps", module + "ddps/chain", false},
		{"ddps/guide", module + "ddps/d3pm", false},
		{"ddps/d3pm", module + "ddps/guide", false},
		{"ddps/d3pm", module + "ddps/internal/vec", true},
		{"ddps/d3pm", module + "ddps/mixture", false},
		{"ddps/d3pm", module + "ddps/internal/fast", false},
		{"ddps/d3pm", "github.com/gomlx/gomlx/graph", false},
		{"ddps/d3pm", module + "ddps/internal/oracle", false},
		{"ddps/internal/oracle", module + "ddps", true},
		{"ddps/metrics", module + "datasets", false},
		{"datasets", module + "datasets/maps", true},
		{"datasets", module + "datasets/pathfile", false},
		{"datasets/maps", module + "datasets", false},
		{"datasets/pathfile", module + "datasets/tracks", false},
		{"plots", module + "datasets/maps", false},
		{"notebooks", module + "datasets/tracks", true},
		{"datasets/internal/pbf", module + "ddps", true},
		{"ddps/study", module + "plots", false},
		{"ddps/run", module + "ddps/study", false},
		{"ddps/compare", module + "ddps/run", false},
		{"ddps/study/table1", module + "ddps/run", true},
		{"plots", module + "ddps/run", false},
		{"ddps/guide", "github.com/gomlx/gomlx/graph", false},
		{"ddps/baselines/edpgnn", "github.com/gomlx/gomlx/graph", true},
		{"ddps/study", "gonum.org/v1/plot/vg", false},
		{"ddps/metrics", "gonum.org/v1/gonum/mat", true},
		{"cmd/ddps", "github.com/janpfeifer/gonb/kernel", false},
		{"cmd/ddps/internal/graphcmd", module + "cmd/ddps/internal/pathcmd", false},
		{"cmd/ddps/internal/cli", module + "cmd/ddps/internal/graphcmd", false},
		{"cmd/ddps", module + "cmd/ddps/internal/modelcmd", true},
		{"kernelext/kernel/jupyter", module + "kernelext/kernel", false},
		{"kernelext/kernel/setup", module + "kernelext/kernel/gonb", false},
		{"ddps/run", "flag", false},
		{"somewhere", "fmt", false},
	} {
		if why := wrongImport(c.dir, c.imports); (why == "") != c.ok {
			t.Errorf("%s importing %s: %q", c.dir, c.imports, why)
		}
	}
}

func TestDocumented(t *testing.T) {
	docs := map[string]bool{}
	for _, s := range sources(t) {
		docs[s.dir] = docs[s.dir] || s.ast.Doc.Text() != ""
		for _, d := range s.ast.Decls {
			for _, name := range bare(d) {
				t.Errorf("%s: %s is exported and has no comment", s.at(d), name)
			}
		}
	}
	for dir, ok := range docs {
		if !ok {
			t.Errorf("%s: the package has no comment", dir)
		}
	}
}

// plain are methods whose names say all.
var plain = []string{"Error", "Unwrap", "Is", "String"}

// bare returns the exported names that d declares without a comment.
func bare(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && (slices.Contains(plain, d.Name.Name) || !ast.IsExported(receiver(d))) {
			return nil
		}
		if d.Name.IsExported() && d.Doc.Text() == "" {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc.Text()+s.Doc.Text()+s.Comment.Text() == "" {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc.Text()+s.Doc.Text()+s.Comment.Text() == "" {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type that d is a method of.
func receiver(d *ast.FuncDecl) string {
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// No init, and no exported variable but errors: what a package does depends on its arguments alone.
func TestNoGlobals(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: func init", s.at(d))
				}
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					for _, n := range spec.(*ast.ValueSpec).Names {
						if n.IsExported() && !strings.HasPrefix(n.Name, "Err") {
							t.Errorf("%s: exported variable %s", s.at(n), n.Name)
						}
					}
				}
			}
		}
	}
}

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		n := s.fset.File(s.ast.Pos()).LineCount()
		switch _, listed := longFiles[s.file]; {
		case n > maxLines && !listed && !ast.IsGenerated(s.ast):
			t.Errorf("%s has %d lines, more than %d", s.file, n, maxLines)
		case n <= maxLines && listed:
			t.Errorf("%s has %d lines: no longer too long", s.file, n)
		}
	}
}

// maxFiles and maxPackage are the most files and lines, without tests, that a package may have.
const (
	maxFiles   = 30
	maxPackage = 3500
)

// tooLarge are the packages that are still larger, and what is to become of them.
var tooLarge = map[string]string{
	"kernelext/live/eval":    "an interpreter: one type switch a construct of Go",
	"kernelext/live/symbols": "generated tables",
}

func TestPackageSizes(t *testing.T) {
	count, lines := map[string]int{}, map[string]int{}
	for _, s := range sources(t) {
		count[s.dir]++
		lines[s.dir] += s.fset.File(s.ast.Pos()).LineCount()
	}
	for dir, n := range count {
		large := n > maxFiles || lines[dir] > maxPackage
		switch _, listed := tooLarge[dir]; {
		case large && !listed:
			t.Errorf("%s: %d files, %d lines; at most %d and %d", dir, n, lines[dir], maxFiles, maxPackage)
		case listed && !large:
			t.Errorf("%s: %d files, %d lines: no longer too large", dir, n, lines[dir])
		}
	}
}

func TestNoMachine(t *testing.T) {
	files(t, func(name string) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(data, 0) >= 0 { // no text
			return
		}
		for i, line := range strings.Split(string(data), "\n") {
			for _, word := range banned {
				if strings.Contains(line, word) {
					t.Errorf("%s:%d: %q", name, i+1, word)
				}
			}
		}
	})
}

// The README shows the example as it is tested, and the test command that .ci/run gives.
func TestReadme(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	readme := read("README.md")
	_, body, _ := strings.Cut(read("example_test.go"), "func Example() {\n")
	body, _, found := strings.Cut(body, "\t// Output:")
	code := strings.TrimPrefix(strings.ReplaceAll(body, "\n\t", "\n"), "\t")
	if !found || !strings.Contains(readme, "```go\n"+code+"```") {
		t.Error("README.md shows another example than example_test.go")
	}
	_, block, _ := strings.Cut(readme, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	commands := strings.Split(strings.TrimSpace(block), "\n")
	if len(commands) != 2 || !strings.Contains(read(".ci/run"), "\n"+commands[1]+"\n") {
		t.Errorf("README.md opens with %q; the second is not what .ci/run calls", commands)
	}
}

// What the package comment of ddps says where to find is there.
func TestWhereToBegin(t *testing.T) {
	data, err := os.ReadFile("ddps/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(data), "# Where to begin reading\n")
	list, _, _ = strings.Cut(list, "// #")
	lines := regexp.MustCompile(`(?m)^//\t.* (\S+\.go) +(\w+)$`).FindAllStringSubmatch(list, -1)
	if len(lines) < 10 {
		t.Fatalf("%d lines of files and names", len(lines))
	}
	for _, l := range lines {
		file := path.Join("ddps", l[1])
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		found := false
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				found = found || d.Name.Name == l[2]
			case *ast.GenDecl:
				for _, s := range d.Specs {
					x, ok := s.(*ast.TypeSpec)
					found = found || ok && x.Name.Name == l[2]
				}
			}
		}
		if !found {
			t.Errorf("ddps/doc.go: %s declares no %s", file, l[2])
		}
	}
}

// The versions that environment.md names are those of go.mod.
func TestVersions(t *testing.T) {
	page, err := os.ReadFile("environment.md")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([a-z.]+/[^|]+) \| (v[0-9.]+) \|`).FindAllStringSubmatch(string(page), -1)
	if len(rows) == 0 {
		t.Fatal("environment.md names no module")
	}
	for _, r := range rows {
		for module := range strings.SplitSeq(r[1], ", ") {
			if !strings.Contains(string(mod), "\t"+module+" "+r[2]) {
				t.Errorf("environment.md: %s %s is not what go.mod has", module, r[2])
			}
		}
	}
}
