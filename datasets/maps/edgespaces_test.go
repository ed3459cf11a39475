package maps_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
)

// TestSpacedEdges: lists with spaces between the fields are found by their content, prose is not.
func TestSpacedEdges(t *testing.T) {
	for what, c := range map[string]struct {
		text   string
		length float64 // of the first edge, 1 without
		note   string
	}{
		"names":       {"A B\nB C\n", 1, ""},
		"no last end": {"A B\nB C", 1, ""},
		"lengths":     {"A B 2\nB C 0\n", 2, "lengths count"},
		"a length":    {"A B 2.5\nB C\n", 2.5, "1 edge has no length"},
		"comments":    {"# NetworkX\n#\nA B\nB C\n", 1, ""},
		"braces":      {"#x.py\n# GMT\nA B {}\nB C {}\n", 1, ""},
		"data":        {"A B {'length': 7, 'name': 'Main, St'}\nB C {'length': 3}\n", 1, "2 rows have data in braces"},
		"blanks":      {"  A  B \n B  C\r\n\n", 1, ""},
		"CR alone":    {"A B\rB C\r", 1, "CR alone"},
		"a header":    {"from to length\nA B 3\nB C 4\n", 3, "lengths count"},
		"UTF-16":      {"\xff\xfeA\x00 \x00B\x00\n\x00B\x00 \x00C\x00\n\x00", 1, "UTF-16"},
		"a long head": {strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 100) + "A B\nB C\n", 1, ""},
	} {
		w, err := maps.Read("e.txt", strings.NewReader(c.text), maps.Options{})
		if err != nil || len(w.Nodes) != 3 || len(w.Edges) != 2 || w.Nodes[2].Name != "C" || w.Edges[0].Length != c.length ||
			!slices.ContainsFunc(append(w.Notes, ""), func(s string) bool { return strings.Contains(s, c.note) }) {
			t.Errorf("%s: %+v, %v", what, w, err)
		}
	}
	for what, text := range map[string]string{
		"prose":  "the quick brown fox\njumps over\n",
		"words":  "hello world\nfoo bar\n",
		"binary": "A \xff\nA \xfe\n",
		"code":   "A B {}\nfunc main\nx = 3 + 4\n",
	} {
		_, err := maps.Read("e.txt", strings.NewReader(text), maps.Options{})
		fixture.WantError(t, what, err, "e.txt: neither OpenStreetMap", "name the format")
		if !errors.Is(err, maps.ErrUnknownFormat) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	w := fixture.Must[*maps.World](t)(maps.Read("e.txt", strings.NewReader("ab cd\n"),
		maps.Options{Format: maps.EdgeList}))
	if len(w.Edges) != 1 {
		t.Errorf("named: %+v", w)
	}
}

// TestCoordinatesName: an error in the table of coordinates names that file, one in the list the list.
func TestCoordinatesName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "towns.csv")
	if err := os.WriteFile(path, []byte("A,24,60\nB,24,60.1\nC,24,x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = maps.Read("e.csv", strings.NewReader("A,B\nB,C\n"), maps.Options{Coordinates: file})
	fixture.WantError(t, "coordinates", err, "datasets: "+path+": coordinates: line 3: ", `"x"`)
	_, err = maps.Read("e.csv", strings.NewReader("A,B\nB,C,x\n"),
		maps.Options{Coordinates: strings.NewReader("A,24,60\n")})
	fixture.WantError(t, "list", err, "datasets: e.csv: edge list: line 2: ")
}
