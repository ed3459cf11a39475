package pathfile

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

func TestRewardFileRoundTrip(t *testing.T) {
	g := ddps.Example()
	u := make([]float64, g.NumEdges())
	u[0], u[3], u[9] = 1, -2.5, 1e-3
	var b bytes.Buffer
	if err := WriteRewards(&b, g, u); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRewards("u.csv", &b, g)
	if err != nil {
		t.Fatal(err)
	}
	for e := range u {
		if got[e] != u[e] {
			t.Errorf("edge %d: %v, want %v", e, got[e], u[e])
		}
	}
}

// Rows of empty cells are skipped.
func TestRewardEmptyRows(t *testing.T) {
	u, err := ReadRewards("u.csv", strings.NewReader("layer,from,to,reward\n1,A,B,2\n,,,\n"), ddps.Example())
	if err != nil ||
		slices.Max(u) != 2 {
		t.Error(u, err)
	}
}

// Rewards may have decimal commas, which is said.
func TestRewardCommas(t *testing.T) {
	var said string
	u, err := ReadRewards("u.csv", strings.NewReader("layer;from;to;reward\n1;A;B;2,5\n"), ddps.Example(),
		func(s string) { said += s })
	if err != nil || slices.Max(u) != 2.5 || said != "numbers with a decimal comma: 1" {
		t.Error(u, said, err)
	}
}

func TestRewardFileErrors(t *testing.T) {
	g := ddps.Example()
	for in, want := range map[string]string{
		"":                                 "no rewards",
		"layer,from,to,reward\n":           "no rewards",
		"1,A,B,1\n1,A,E,1\n":               `u.csv:2: there is no edge from "A" to "E"`,
		"1,A,B,NaN\n":                      "not a finite number",
		"1,A,B,inf\n":                      "not a finite number",
		"1,A,B\n":                          "3 fields",
		"1;A;B;1,250\n":                    `"1,250" has a comma before three digits`,
		"1;A;B;1.234,5\n":                  "not a finite number",
		"0,A,B,1\n":                        "layer",
		"4,H,A,1\n":                        "layer",
		"*,A,J,1\n":                        "no edge",
		"1,A,\"B,1\n":                      "column",
		"1,A,B,1e308\n*,A,B,1e308\n":       "not a finite number",
		"1,A,B,1\n1, A,B,2\n":              `u.csv:2: the reward from "A" to "B" in layer 1 is in line 1 already`,
		"Ebene,Von,Nach,Lohn\n1,A,B,1\n":   `u.csv:1: is "Ebene,Von,Nach,Lohn" a header?`,
		"layer,from,too,reward\n1,A,B,1\n": `u.csv:1: no column to: is "too" to be it?`,
		"1,A,b,1\n":                        `no vertex "b" in layer 2, did you mean "B"?`,
		"1,A,E,1\n":                        `"E" is in the graph, but not reachable before step 3`,
		"*,X,B,1\n":                        `no vertex "X" in layer 1`,
		"layer,from,to,reward\n1,A,B\n":    "3 fields, expected 4",
		"layer,from,to,reward\n2,A,B,1\n":  "u.csv:2",
	} {
		if _, err := ReadRewards("u.csv", strings.NewReader(in), g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
	if u, err := ReadRewards("u.csv", strings.NewReader("*, A ,B,2\n"), g); err != nil || u[0] != 2 {
		t.Errorf("any layer: %v, %v", u, err)
	}
}

// TestRewardFileForms: columns in any order, other separators and encodings, with notes.
func TestRewardFileForms(t *testing.T) {
	var notes []string
	note := func(s string) { notes = append(notes, s) }
	text := "1,A,B,100000000000000001\n1,A,C,100000000000000000\n1,A,D,1e300\n2,B,E,-9007199254740993\n"
	if _, err := ReadRewards("u.csv", strings.NewReader(text), ddps.Example(), note); err != nil || len(notes) != 1 ||
		notes[0] != "rewards of more digits than a float64 holds, which are rounded: 2" {
		t.Errorf("%q, %v", notes, err)
	}
	for in, want := range map[string]string{
		"reward;to;from;layer;why\n2;B;A;1;x\n": "columns not used: why",
		"From\tTo\tReward\nA\tB\t2\n": "no column layer: a reward is that of its edge in " +
			"every layer",
		"\ufefflayer , from , to , value\r\n1 , A , B , 2\r\n\r\n": "",
		"\xff\xfe" + "1\x00,\x00A\x00,\x00B\x00,\x002\x00\n\x00":   "the text is in UTF-16",
		"1,A,B,2,\n": "",
	} {
		var notes []string
		u, err := ReadRewards("u.csv", strings.NewReader(in), ddps.Example(), func(s string) { notes = append(notes, s) })
		if err != nil || u[0] != 2 || strings.Join(notes, "; ") != want {
			t.Errorf("%q: %v, %v, notes %q", in, u, err, notes)
		}
	}
}

// FuzzReadRewards: any text gives an error, or rewards that are written and read back.
func FuzzReadRewards(f *testing.F) {
	f.Add("layer,from,to,reward\n1,A,B,1\n*,C,E,-2\n")
	f.Add("reward;to;from\n2;B;A\n")
	f.Add("1,A,b,2\n")
	f.Fuzz(func(t *testing.T, in string) {
		u, err := ReadRewards("u.csv", strings.NewReader(in), ddps.Example())
		if err != nil || !slices.ContainsFunc(u, func(x float64) bool { return x != 0 }) {
			return
		}
		var b bytes.Buffer
		if err := WriteRewards(&b, ddps.Example(), u); err != nil {
			t.Fatal(err)
		}
		back, err := ReadRewards("back", &b, ddps.Example())
		if err != nil || !slices.Equal(u, back) {
			t.Fatalf("%v, %v, want %v", back, err, u)
		}
	})
}

// TestRewardNotFinite: a reward that is not finite, in whatever text, is an error that names the file, the line and the
// edge's ends; a file that is no text of rows says what it is.
func TestRewardNotFinite(t *testing.T) {
	dir := t.TempDir()
	for _, bad := range []string{"NaN", "nan", "Inf", "-inf", "1e999", "∞"} {
		for name, text := range map[string]string{
			"r.csv":     "layer,from,to,reward\n1,A,B,1\n1,A,C," + bad + "\n",
			"r.tsv":     "from\tto\treward\nA\tB\t1\nA\tC\t" + bad + "\n",
			"semi.csv":  "reward;to;from\n1;B;A\n" + bad + ";C;A\n",
			"plain.csv": "1,A,B,1\n\n1,A,C, " + bad + " \n",
			"crlf.csv":  "\ufefffrom,to,reward\r\nA,B,1\r\nA,C," + bad + "\r\n",
		} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			u, err := ReadRewardFile(path, ddps.Example())
			if err == nil || u != nil {
				t.Errorf("%s, %s: %v, no error", name, bad, u)
				continue
			}
			for _, want := range []string{path + ":3: field ", bad, `from "A" to "C" is not a finite number`} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, expected %q", name, err, want)
				}
			}
		}
	}
	for text, want := range map[string]string{
		`[{"from":"A","to":"C","reward":NaN}]` + "\n": "r.json:1: JSON: rewards are read from separated text alone",
		`{"from":"A","to":"C","reward":"NaN"}` + "\n": "r.json:1: JSON: rewards",
		"PAR1\x15\x04": "r.json:1: Parquet: rewards",
	} {
		if _, err := ReadRewards("r.json", strings.NewReader(text), ddps.Example()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
	g := ddps.Example()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		u := make([]float64, g.NumEdges())
		u[2] = bad
		if err := g.CheckReward(u); err == nil || !strings.Contains(err.Error(), g.Name(g.Tail(2))+" → "+g.Name(g.Head(2))) {
			t.Errorf("%v in a slice: %v", bad, err)
		}
	}
}

// Of a header with a reward and a cost each reader takes its own, and says what it takes in its place.
func TestRewardAndCostColumns(t *testing.T) {
	g := ddps.Example()
	for _, c := range []struct {
		read func(string, io.Reader, *ddps.LayeredGraph, ...func(string)) ([]float64, error)
		in   string
		want float64
		note string
	}{
		{ReadRewards, "from,to,cost,reward\nA,B,5,1\n", 1, "columns not used: cost"},
		{ReadCosts, "from,to,cost,reward\nA,B,5,1\n", 5, "columns not used: reward"},
		{ReadCosts, "from,to,reward,Cost\nA,B,1,5\n", 5, "columns not used: reward"},
		{ReadCosts, "from;to;weight;reward;cost\nA;B;3;1;5\n", 5, "columns not used: weight, reward"},
		{ReadCosts, "from,to,weight,reward\nA,B,3,1\n", 3, "columns not used: reward"},
		{ReadCosts, "from,to,reward\nA,B,1\n", 1, "no column cost: it is read from the column reward"},
		{ReadRewards, "from,to,Cost\nA,B,5\n", 5, "no column reward: it is read from the column Cost"},
		{ReadCosts, "1,A,B,5\n", 5, ""},
	} {
		var notes []string
		u, err := c.read("u.csv", strings.NewReader(c.in), g, func(text string) { notes = append(notes, text) })
		if err != nil || u[0] != c.want || c.note != "" && !slices.Contains(notes, c.note) {
			t.Errorf("%q: %v, %v, notes %q", c.in, u, err, notes)
		}
	}
}
