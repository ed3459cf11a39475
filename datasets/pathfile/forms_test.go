package pathfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// TestPathForms: what people export, with what is said of it.
func TestPathForms(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(ddps.Example().WithMeta(ddps.Meta{Names: []string{"Käpylä", "B", "C", "D",
		"E", "F", "G;1", "H,2", "I", "J"}}))
	nfd := "Ka\u0308pyla\u0308"
	for what, c := range map[string]struct{ text, notes string }{
		"any order":  {"count,v4,v3,v2,v1\n2,\"H,2\",G;1,C,Käpylä\n", ""},
		"others":     {"id,v1,v2,v3,v4,date,n\n7,Käpylä,C,G;1,\"H,2\",x,2\n", "columns not used: id, date"},
		"semicolons": {"Käpylä;C;\"G;1\";H,2;2\n", ""},
		"tabs, CRLF": {"Step 1\tStep 2\tStep 3\tStep 4\tTimes\r\nKäpylä\tC\tG;1\tH,2\t2\r\n", ""},
		"spaces":     {" v1 ; v2 ; v3 ; v4 ; count \n Käpylä ; C ; \"G;1\"; H,2 ; 2 \n", ""},
		"decomposed": {nfd + ",C,G;1,\"H,2\",2\n",
			`1 name is in another form of Unicode, like "Käpylä": taken in normal form C`},
		"from 0":          {"node_0,node_1,node_2,node_3\nKäpylä,C,G;1,\"H,2\",2\n", ""},
		"floats":          {"v1,v2,v3,v4,count\nKäpylä,C,G;1,\"H,2\",2.0\n", ""},
		"trailing commas": {"Käpylä,C,G;1,\"H,2\",,\nKäpylä,C,G;1,\"H,2\",,,\n", ""},
		"CR":              {"Käpylä,C,G;1,\"H,2\",1\rKäpylä,C,G;1,\"H,2\",1\r", "lines end in CR alone"},
		"empty rows": {"sep=,\nv1,v2,v3,v4,count\nKäpylä,C,G;1,\"H,2\",2\n,,,,\n,,,,\n",
			"rows of empty cells, which are skipped: 2"},
		"repeated": {"Käpylä,C,G;1,\"H,2\"\nKäpylä,C,G;1,\"H,2\"\n", ""},
	} {
		d, err := pathfile.ReadCSV("x", strings.NewReader(c.text), g, pathfile.ByName)
		if err != nil || !slices.Equal(d.Counts, []int{2}) || !slices.Equal(d.Paths[0], ddps.Path{0, 2, 6, 7}) ||
			strings.Join(d.Notes, "; ") != c.notes {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
	}
}

// TestPathFormErrors: messages that say what to do.
func TestPathFormErrors(t *testing.T) {
	w := fixture.Must[*maps.World](t)(
		maps.Read("x", strings.NewReader("Market,Station\nStation,Käpylä\nKäpylä,Old Town\n"), maps.Options{}))
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 0, Depth: 4}))
	for text, want := range map[string]string{
		"Market,Station,Station,Old Town\n":          `x:1: ddps: not a path`,
		"Market,Old Town,Market,Market\n":            `x:1: field 2: "Old Town" is on the map, but not reachable before step 4`,
		"Market,market,Market,Market\n":              `x:1: field 2: no vertex "market" in layer 2, did you mean "Market"?`,
		"Market,Market,Kapyla,Käpylä\n":              `x:1: field 3: no vertex "Kapyla" in layer 3, did you mean "Käpylä"?`,
		"Market,Market,Nowhere,Käpylä\n":             `x:1: field 3: no vertex "Nowhere" in layer 3`,
		"Station,Market,Market,Market\n":             `x:1: field 1: "Station" is on the map, but not reachable before step 2`,
		"v1,v2,v3\nMarket,Market,Market\n":           `x:1: no column v4: the graph has 4 layers`,
		"v1,v2,v3,v4,v5\nM,M,M,M,M\n":                `x:1: column v5 is of no layer: the graph has 4`,
		"v1,v2,v3,v4,v4\nM,M,M,M,M\n":                `x:1: two columns are called v4`,
		"v1,v2,v3,v4,n,n\nM,M,M,M,1,1\n":             `x:1: two columns are called n`,
		"Eins,Zwei,Drei,Vier\nMarket,Market,M,M\n":   `is the first row a header? its columns are to be called v1, …, v4 and count`,
		"v1,v2,v3,v4,count\nMarket,Market,Market\n":  `x:2: 3 fields, but 5 in the header`,
		"v1,v2,v3,v4,count\nMarket,M,M,M,1,2\n":      `x:2: 6 fields, but 5 in the header`,
		"Market,M\xe4rket,Market,Market\n":           `x:1: field 2: "M\xe4rket" is not UTF-8: is the file in Latin-1`,
		"Market,Market\n":                            `x:1: 2 fields, expected 4 vertices`,
		"Market Station Station Station\n":           `x:1: 1 fields, expected 4 vertices`,
		"v1,v2,v3,v4,count\nMarket,Market,Market,,1": `x:2: field 4: no vertex "" in layer 4`,
	} {
		_, err := pathfile.ReadCSV("x", strings.NewReader(text), g, pathfile.ByName)
		fixture.WantError(t, text, err, want)
	}
	_, err := pathfile.ReadCSV("x", strings.NewReader("a,b,c,d\n0,1,2,3\n"), g, pathfile.ByNumber)
	fixture.WantError(t, "numbers", err, "is the first row a header?")
	_, err = pathfile.ReadJSONL("x", strings.NewReader(`{"path": ["Market", "Old Town", "Market", "Market"]}`), g)
	fixture.WantError(t, "jsonl", err, `field path[1]: "Old Town" is on the map, but not reachable before step 4`)
	all := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 0, Depth: 4, Dummies: true,
		All: true}))
	_, err = pathfile.ReadCSV("x", strings.NewReader("source,dummy1,Market,Käpylä,Market,Market\n"), all, pathfile.ByName)
	fixture.WantError(t, "a copy that is not reached", err, `"Käpylä" is on the map, but not reachable before step 5`)
}
