package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// tracksOf writes the tracks of paths by the CSV of their vertices' names: a fix every 20 s, off by less than a metre.
func tracksOf(t *testing.T, graph, paths, out string) {
	t.Helper()
	g, err := cli.LoadGraph(graph)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string][2]float64{}
	for v, xy := range g.Meta().XY {
		at[g.Name(v)] = xy
	}
	text, n := "id,when,timestamp,latitude,longitude\n", 0
	for i, line := range strings.Split(strings.TrimSpace(clitest.Read(t, paths)), "\n")[1:] {
		names := strings.Split(line, ",")
		for k, name := range names[:len(names)-1] {
			n++
			off := float64(n%7-3) * 1e-6
			text += fmt.Sprintf("walk %d,,2026-05-01T10:%02d:%02dZ,%.7f,%.7f\n", i, k/3, k%3*20, at[name][1]+off,
				at[name][0]-off)
		}
	}
	clitest.Write(t, out, text)
}

// From a map to walks, their tracks, the paths of those, and a model of them.
func TestPathsImport(t *testing.T) {
	osm, err := filepath.Abs(helsinki)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	good(t, "graph", "import", osm, "--at", "24.9509,60.1708", "--depth", "6", "--nodes", "30", "-o", "town.json")
	good(t, "paths", "make", "town.json", "-n", "60", "--how", "uniform", "-o", "walks.csv")
	tracksOf(t, "town.json", "walks.csv", "tracks.csv")
	_, notes := good(t, "paths", "import", "town.json", "tracks.csv", "--report", "report.csv", "-o", "paths.csv")
	for _, want := range []string{
		`tracks.csv: track from "id", time from "timestamp", lat from "latitude", lon from "longitude"`,
		"a layer every 20s (guessed)",
		"m of a place (guessed)", "60 of 60 tracks are paths, by 360 of 360 fixes", "paths.csv: "} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
	if strings.Count(clitest.Read(t, "report.csv"), "matched") != 60 {
		t.Error(clitest.Read(t, "report.csv"))
	}
	same := 0
	walks, paths := clitest.Read(t, "walks.csv"), clitest.Read(t, "paths.csv")
	for _, line := range strings.Split(strings.TrimSpace(walks), "\n")[1:] {
		if strings.Contains(paths, strings.TrimSuffix(line, "1")) {
			same++
		}
	}
	if same < 57 { // places are as near as 1.5 m
		t.Errorf("%d of 60 walks come back", same)
	}
	good(t, "paths", "import", "town.json", "tracks.csv", "--every", "20s", "--radius", "20", "-q", "--strict", "-o",
		"again.csv")
	if clitest.Read(t, "again.csv") != paths {
		t.Error("the guessed settings given make other paths")
	}
	clitest.Write(t, "small.toml", "[model.mixture]\nclasses = 2\nrounds = 3\n")
	good(t, "train", "--graph", "town.json", "--paths", "paths.csv", "--config", "small.toml", "-o", "run")
	if out, _ := good(t, "sample", "run", "-n", "5"); strings.Count(out, "\n") != 6 {
		t.Errorf("%q", out)
	}
}

// Places by name, refusals told and reported, and what is refused whole.
func TestPathsImportRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "track,step,place\n"
	for i := range 5 {
		text += fmt.Sprintf("x%d,0,A\nx%d,1,C\nx%d,2,E\nx%d,3,H\n", i, i, i, i) // there is no edge from C to F
	}
	clitest.Write(t, "bad.csv", strings.ReplaceAll(text, ",2,E", ",2,F"))
	clitest.Write(t, "good.csv", "track,place\na,A\na,B\na,E\na,H\nb,A\nb,Q\nb,?\nb,I\n")
	out, notes := good(t, "paths", "import", "example", "good.csv", "bad.csv", "--report", "r.csv")
	if !strings.HasPrefix(out, "v1,v2,v3,v4,count\nA,B,E,H,1\n") || strings.Count(out, "\n") != 3 {
		t.Errorf("%q", out)
	}
	for _, want := range []string{"a layer each step", "2 of 7 tracks are paths", "refused 2 fixes: unknown place",
		"good.csv:7: unknown place: no vertex is called \"Q\"",
		"refused 5 tracks: no way", "bad.csv:2: track x0: no way: no way in 1 steps from the fix at line 3 to that at line 4",
		"and 2 more", "2 layers of 1 paths without a fix",
		"20 good fixes are of tracks refused"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
	if report := clitest.Read(t, "r.csv"); strings.Count(report, "\n") != 1+7+2 ||
		!strings.Contains(report, "fix,good.csv,7,b,unknown place,") {
		t.Errorf("%q", report)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var none, told bytes.Buffer
	if status := execute(ctx, []string{"paths", "import", "example", "good.csv", "-o", "never.csv"}, &none,
		&told); status != exitInterrupted ||
		!strings.HasSuffix(told.String(), "ddps: interrupted\n") {
		t.Errorf("interrupted: %d, %q", status, told.String())
	}
	if _, err := os.Stat("never.csv"); err == nil {
		t.Error("an interrupted import leaves a file")
	}
	status, out, errs := call("paths", "import", "example", "good.csv", "-q", "--strict", "--report", "s.csv", "-o",
		"out.csv")
	if status != exitError || out != "" || !strings.Contains(errs, "--strict: 2 refusals, so no path is written") ||
		!strings.Contains(clitest.Read(t, "s.csv"), "unknown place") {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
	if _, err := (&cli.App{Quiet: true}).LoadPaths("example", "out.csv", "name"); err == nil {
		t.Error("paths are written in spite of --strict")
	}
	clitest.Write(t, "points.csv", "track,time,lat,lon\na,1,2,3\n")
	for line, want := range map[string]string{
		"example bad.csv":                "none of 5 makes a path: 5 no way",
		"example none.csv":               "none.csv",
		"example points.csv":             "no places with longitude and latitude",
		"heights points.csv":             "no track has two fixes",
		"heights points.csv --every 30s": "none of 1 makes a path: 1 too short",
		"example good.csv --every 30s":   "count steps, and not time",
		"example good.csv points.csv":    "import them one by one",
		"example good.csv -o none/x.csv": "cannot write none/x.csv",
	} {
		bad(t, exitError, []string{want}, append(words("paths import -q"), words(line)...)...)
	}
	for line, want := range map[string]string{
		"example":                                  "TRACKS is missing",
		"example good.csv --every 30":              "--every",
		"example good.csv --every 0s":              "--every: want a time above 0",
		"example good.csv --radius -1":             "--radius",
		"example good.csv -o x.y":                  "ends in none of",
		"example good.csv -o a.csv --report a.csv": "the same file a.csv",
	} {
		bad(t, exitUsage, []string{want}, append(words("paths import"), words(line)...)...)
	}
}
