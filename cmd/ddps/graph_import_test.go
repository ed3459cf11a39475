package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// crossXML is a street 1–2–3 and one across, 4–2–5, one way; a piece leads out of
// the file, node 7 is 5 m from node 2.
const crossXML = `<?xml version="1.0"?>
<osm version="0.6">
 <node id="1" lat="60.0000" lon="24.0000"/>
 <node id="2" lat="60.0000" lon="24.0010"/>
 <node id="3" lat="60.0000" lon="24.0030"/>
 <node id="4" lat="60.0010" lon="24.0010"/>
 <node id="5" lat="59.9990" lon="24.0010"/>
 <node id="7" lat="60.00004" lon="24.0010"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="99"/><tag k="highway" v="residential"/></way>
 <way id="11"><nd ref="4"/><nd ref="7"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="footway"/><tag k="oneway" v="yes"/></way>
 <way id="12"><nd ref="7"/><nd ref="1"/><tag k="highway" v="service"/></way>
</osm>
`

const helsinki = "../../datasets/maps/helsinki.osm.pbf"

func TestGraphImport(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "cross.osm", crossXML)
	_, notes := good(t, "graph", "import", "cross.osm", "--start", "7", "--depth", "3", "-o", "g.json")
	for _, want := range []string{"read 6 nodes, 6 pieces", "skipped 1 with an end outside", "merged 1 nodes",
		"start 7 was merged: taking 2", "3 layers"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
	info, _ := good(t, "graph", "info", "g.json")
	for _, want := range []string{"cross.osm", "ODbL", "OpenStreetMap", "places"} {
		if !strings.Contains(info, want) {
			t.Errorf("info lacks %q:\n%s", want, info)
		}
	}
	_, notes = good(t, "graph", "import", "cross.osm", "--at", "24.00101,60.00001", "--depth", "4", "--merge", "0", "--split", "50",
		"--directed", "--no-wait=false", "--format", "xml", "-o", "h.json")
	for _, want := range []string{"start 2, 1 m from", "split streets over 50 m"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
	g, err := loadGraph("h.json")
	if err != nil || g.NumLayers() != 4 {
		t.Fatal(g, err)
	}
}

// The flags make Heights of the map that ships.
func TestGraphImportHeights(t *testing.T) {
	out := filepath.Join(t.TempDir(), "heights.json")
	good(t, "graph", "import", helsinki, "--start", "297100377", "--nodes", "42", "--depth", "10", "--split", "2000", "--dummies", "--all", "-o", out)
	g, err := loadGraph(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := loadGraph("heights")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Meta().Names, want.Meta().Names) || g.NumEdges() != want.NumEdges() {
		t.Errorf("%s, want %s", summary(g), summary(want))
	}
}

// The counts of an independent program on real maps.
func TestGraphImportReal(t *testing.T) {
	dir := os.Getenv("DDPS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	for name, c := range map[string]struct{ start, paths string }{
		"west-oakland.osm.bz2":   {"53027353", "249247"},
		"Helsinki.osm.pbf":       {"1372477605", "243777"},
		"helsinki-small.osm.pbf": {"36156596", "332009"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, "data", "maps", name)
			if _, err := os.Stat(file); err != nil {
				t.Skipf("the real map is not here: %v (set DDPS_SHARED)", err)
			}
			out := filepath.Join(t.TempDir(), "g.json")
			good(t, "graph", "import", file, "--start", c.start, "--depth", "10", "--merge", "0", "-o", out)
			if got, _ := good(t, "paths", "count", out); got != c.paths+"\n" {
				t.Errorf("%s paths, want %s", got, c.paths)
			}
		})
	}
}

func TestGraphImportBad(t *testing.T) {
	shipped, err := os.ReadFile(helsinki)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write(t, "cross.osm", crossXML)
	write(t, "empty.osm", "")
	write(t, "text.osm", "no map at all")
	write(t, "cut.osm", crossXML[:400])
	write(t, "cut.osm.pbf", string(shipped[:len(shipped)/2]))
	write(t, "river.osm", `<osm version="0.6"><node id="1" lat="1" lon="1"/></osm>`)
	write(t, "file", "")
	for args, want := range map[string][]string{
		"none.osm --start 1 --depth 3":                       {"none.osm", "no such file"},
		"empty.osm --start 1 --depth 3":                      {"empty.osm", "empty"},
		"text.osm --start 1 --depth 3":                       {"text.osm", "neither"},
		"cut.osm --start 1 --depth 3":                        {"cut.osm"},
		"cut.osm.pbf --start 1 --depth 3":                    {"cut.osm.pbf"},
		"river.osm --start 1 --depth 3":                      {"river.osm", "no street"},
		"cross.osm --format pbf --start 1 --depth 3":         {"cross.osm"},
		"cross.osm --start 99 --depth 3":                     {"cross.osm", "start 99 is not on the map"},
		"cross.osm --at 25,60 --depth 3":                     {"cross.osm", "--at 25,60 is not on the map"},
		"cross.osm --start 1 --depth 3 --nodes 60":           {"cross.osm", "60 nodes around node 1"},
		"cross.osm --start 1 --depth 3 --split 1e-9":         {"more than a million"},
		"cross.osm --start 5 --depth 3 --directed --no-wait": {"node 5", "no way on"},
		"cross.osm --start 1 --depth 3 -o none/g.json":       {"cannot write none/g.json"},
		"cross.osm --start 1 --depth 3 -o file/g.json":       {"cannot write file/g.json"},
	} {
		bad(t, exitError, want, append([]string{"graph", "import", "-q"}, strings.Fields(args)...)...)
	}
	for args, want := range map[string][]string{
		"cross.osm --start 1 --depth 0":             {"--depth", "want 2 or more"},
		"cross.osm --start 1 --depth 1":             {"--depth"},
		"cross.osm --start 1":                       {"depth"},
		"cross.osm --depth 3":                       {"start"},
		"cross.osm --start 1 --at 1,1 --depth 3":    {"start"},
		"cross.osm --start x --depth 3":             {"--start"},
		"cross.osm --at 24 --depth 3":               {"--at", "longitude,latitude"},
		"cross.osm --at NaN,60 --depth 3":           {"--at", "finite"},
		"cross.osm --at 24,95 --depth 3":            {"--at", "90"},
		"cross.osm --start 1 --depth 3 --merge NaN": {"--merge", "finite"},
		"cross.osm --start 1 --depth 3 --split -1":  {"--split", "want 0 or more"},
		"cross.osm --start 1 --depth 3 --nodes -4":  {"--nodes"},
		"cross.osm --start 1 --depth 3 --format x":  {"--format", "want one of"},
		"--start 1 --depth 3":                       {"argument MAP is missing"},
	} {
		bad(t, exitUsage, want, append([]string{"graph", "import"}, strings.Fields(args)...)...)
	}
}
