package pathfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// TestNameNotes: a file that names vertices which it may mistake for others is read with a warning, once, and by number
// without.
func TestNameNotes(t *testing.T) {
	g, err := ddps.New([]int{1, 3, 1}, [][]int{{1, 2, 3}, {4}, {4}, {4}, nil})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: []string{"s", "a", " a", "x\ny", "t"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"v1,v2,v3,count\ns, a,t,7\ns,a,t,2\n": 2, "v1,v2,v3\n0,1,4\n": 0} {
		path := filepath.Join(t.TempDir(), "p.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		by := pathfile.ByName
		if want == 0 {
			by = pathfile.ByNumber
		}
		d, err := pathfile.ReadFile(path, g, by)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var found []string
		for _, note := range d.Notes {
			if strings.HasPrefix(note, "warning: names ") {
				found = append(found, note)
			}
		}
		if len(found) != want || want > 0 && (!strings.HasSuffix(found[0], `" a", "x\ny"`) ||
			!strings.HasSuffix(found[1], `different vertices: "a" and " a"`)) {
			t.Errorf("%q: %q", text, d.Notes)
		}
	}
}
