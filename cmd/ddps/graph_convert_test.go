package main

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestGraphConvert(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "graph", "make", "heights", "-o", "a.json")
	good(t, "graph", "convert", "heights", "h.graphml")
	good(t, "graph", "convert", "h.graphml", "b.json")
	if clitest.Read(t, "a.json") != clitest.Read(t, "b.json") {
		t.Error("Heights comes back from GraphML as another graph")
	}
	if out, _ := good(t, "paths", "count", "h.graphml"); out != "1217906\n" {
		t.Errorf("%s paths", out)
	}
	dot, _ := good(t, "graph", "convert", "example", "-", "--format", "dot")
	if !strings.HasPrefix(dot, "digraph") || strings.Count(dot, "->") != 14 {
		t.Error(dot)
	}
	bad(t, exitUsage, []string{"g.txt", "--format"}, "graph", "convert", "example", "g.txt")
	bad(t, exitError, []string{"none.json", "no such file"}, "graph", "convert", "none.json", "g.dot")
	bad(t, exitError, []string{"cannot write none/g.dot"}, "graph", "convert", "example", "none/g.dot")
	clitest.Write(t, "map.graphml", `<graphml><graph edgedefault="directed"><node id="1"/></graph></graphml>`)
	bad(t, exitError, []string{"map.graphml", "graph import"}, "graph", "convert", "map.graphml", "g.dot")
}

// Samples and files of paths in all formats.
func TestPathFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, f := range []string{"csv", "jsonl", "parquet"} {
		good(t, "sample", "shipped:heights", "-n", "300", "--steps", "2", "-q", "-o", "s."+f)
		good(t, "paths", "convert", "heights", "s."+f, f+".csv")
		if clitest.Read(t, f+".csv") != clitest.Read(t, "csv.csv") {
			t.Errorf("%s: other paths", f)
		}
	}
	good(t, "sample", "shipped:heights", "-n", "300", "--steps", "2", "-q", "--distinct", "-o", "d.parquet")
	good(t, "paths", "convert", "heights", "d.parquet", "d.csv")
	if clitest.Read(t, "d.csv") != clitest.Read(t, "csv.csv") {
		t.Error("--distinct writes other paths")
	}
	good(t, "sample", "shipped:heights", "-n", "300", "--steps", "2", "-q", "-o", "s.geojson")
	if n := strings.Count(clitest.Read(t, "s.geojson"), `"LineString"`); n != 300 {
		t.Errorf("%d lines", n)
	}
	edges, _ := good(t, "sample", "shipped:heights", "-n", "300", "--steps", "2", "-q", "--format", "geojson-edges")
	if !strings.Contains(edges, `"share"`) || !strings.Contains(edges, "OpenStreetMap") {
		t.Error(edges[:100])
	}
	bad(t, exitError, []string{"no longitude"}, "sample", "shipped:toy", "-n", "3", "-q", "-o", "t.geojson")
	bad(t, exitUsage, []string{"x.txt", ".parquet"}, "sample", "shipped:toy", "-n", "3", "-o", "x.txt")
	bad(t, exitError, []string{"not read"}, "paths", "convert", "heights", "s.geojson", "x.csv")
}
