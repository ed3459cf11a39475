package blocks

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// TestWalkRowsRefused: what a row or a header has beside places and a count is an error, as is a key that stands twice.
func TestWalkRowsRefused(t *testing.T) {
	g, p := ddps.Example(), make(ddps.Path, 4)
	for header, want := range map[string]string{
		"v1,v2,v3,v4,count": "", "V1,V2,V3,V4,Count": "", "v1,v2,v3,v4,n": `column "n"`, "v1,v1,v2": `column "v1"`,
		"a,b": "no header", "v1,v2,v4": `column "v4"`,
	} {
		_, _, err := newWalkRows(g, pathfile.CSV, []byte(header+"\n"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", header, err)
		}
	}
	parse, _, err := newWalkRows(g, pathfile.JSONL, nil)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		`{"path":["A","B","E","H"],"count":3}`:           "",
		`{"path":["A","B","E","H"],"n":3}`:               `key "n"`,
		`{"path":["A","B","E","H"],"count":"x"}`:         "count x",
		`{"path":["A","B","E","H"],"count":null}`:        "count",
		`{"path":["A","B","E",null]}`:                    "path[3]",
		`{"path":["A","B","E","H"],"count":2,"count":3}`: `key "count" twice`,
		`{"path":["A"],"path":["A","B","E","H"]}`:        `key "path" twice`,
		`{"count":3}`: "path",
	} {
		n, err := parse(line, p)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && n != 3 {
			t.Errorf("%s: %d, %v", line, n, err)
		}
	}
}
