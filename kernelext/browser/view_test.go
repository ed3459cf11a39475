package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// expected is what the page of a sample must say, counted here one path after the other.
type expected struct {
	Paths, Distinct int
	Place           int    // a place on the map, its name, and paths that visit it:
	Name            string // in any layer, in Layer, from 1, and in any together with Other
	Any             int
	Layer, At       int
	Other           string
	Both            int
	Street          string // two neighbours, and how often paths go from one to the other, of all and of Any
	Traversals, Led int
}

// The page of ddps view in Chromium: what it counts, its keys, its looks. It skips only where there is no Chromium, or
// nothing to drive it with.
func TestView(t *testing.T) {
	if browser() == "" {
		t.Skip("there is no chromium in PATH")
	}
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	prefix := t.TempDir()
	program := filepath.Join(prefix, "ddps")
	run(t, command(ctx, ".", "go", "build", "-o", program, "../../cmd/ddps"))
	node := driver(t, ctx, prefix)
	run(t, command(ctx, prefix, program, "sample", "shipped:heights", "-n", "300", "--steps", "4", "-o", "sample.csv"))
	want, err := json.Marshal(count(t, filepath.Join(prefix, "sample.csv")))
	if err != nil {
		t.Fatal(err)
	}
	evil := filepath.Join(prefix, "evil.html")
	evilPage(t, ctx, program, prefix, evil)
	address, stop := serve(t, ctx, program, "view", "shipped:heights", "-n", "300", "--steps", "4", "--lambda",
		"0,100,1000", "--reward", "rare:4",
		"--where", "visit(place 30)", "--where", "visit(place 30) and reward >= 1", filepath.Join(prefix, "sample.csv"))
	cmd := command(ctx, node, "node", "view.mjs", chromium(t), address, string(want), evil, screenshots(prefix))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	stop()
}

// serve starts ddps view and returns its address, and what interrupts it as Ctrl-C does and waits for a clean end.
func serve(t *testing.T, ctx context.Context, program string, args ...string) (address string, stop func()) {
	t.Helper()
	cmd := command(ctx, ".", program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("ddps view prints no address: %v, %v", err, cmd.Wait())
	}
	return strings.TrimSpace(address), func() {
		cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Errorf("ddps view, interrupted: %v", err)
		}
	}
}

// count reads a sample of Heights and counts what the page must say of it.
func count(t *testing.T, file string) expected {
	t.Helper()
	g, err := datasets.HeightsGraph()
	if err != nil {
		t.Fatal(err)
	}
	d, err := pathfile.ReadFile(file, g, pathfile.ByName)
	if err != nil {
		t.Fatal(err)
	}
	place, other := g.Meta().Place, -1
	e := expected{Paths: d.Total(), Distinct: len(d.Paths), Place: -1, Layer: 7}
	visits := func(p ddps.Path, place0 int) bool {
		return slices.ContainsFunc(p, func(v int) bool { return place[v] == place0 })
	}
	tally := func(met func(p ddps.Path) bool) (n int) {
		for i, p := range d.Paths {
			if met(p) {
				n += d.Counts[i]
			}
		}
		return n
	}
	for v := range g.NumVertices() { // one that some paths visit, and a neighbour that some of those do
		for _, w := range g.From(v) {
			a, b := place[v], place[w]
			n := tally(func(p ddps.Path) bool { return visits(p, a) })
			both := tally(func(p ddps.Path) bool { return visits(p, a) && visits(p, b) })
			if a >= 0 && b >= 0 && a != b && n < e.Paths/2 && n > e.Any && both < n && both > 0 {
				e.Place, e.Name, other, e.Any, e.Both = a, fmt.Sprintf("%s (place %d)", g.Name(v), a), b, n, both
				e.Other = fmt.Sprintf("%s (place %d)", g.Name(w), b)
				e.Street = g.Name(v) + " – " + g.Name(w) + "|" + g.Name(w) + " – " + g.Name(v)
			}
		}
	}
	if e.Place < 0 {
		t.Fatal("no place will do")
	}
	e.At = tally(func(p ddps.Path) bool { return place[p[e.Layer-1]] == e.Place })
	for i, p := range d.Paths {
		for l := 1; l < len(p); l++ {
			if pair := [2]int{place[p[l-1]], place[p[l]]}; pair == [2]int{e.Place, other} || pair == [2]int{other, e.Place} {
				e.Traversals += d.Counts[i]
				e.Led += d.Counts[i] // whoever takes the street visits the place
			}
		}
	}
	return e
}

// evilPage makes a page of a graph whose names would break out of it.
func evilPage(t *testing.T, ctx context.Context, program, dir, file string) {
	t.Helper()
	name := `<img src=x onerror="document.title='broken'"></script><script>document.title='broken'</script>`
	text, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	graph := fmt.Sprintf(`{"format": "ddps-graph", "version": 1, "layers": [[[0, 1]], [[], []]], "names": [["a"], [%s, "c"]]}`, text)
	for file, data := range map[string]string{"evil.json": graph, "evil.jsonl": `{"path": ["a", ` + string(text) + `]}` +
		"\n" + `{"path": ["a", "c"]}` + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, command(ctx, dir, program, "view", "--graph", "evil.json", "evil.jsonl", "-o", file))
}
