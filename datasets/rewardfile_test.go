package datasets

import (
	"bytes"
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

func TestRewardFileErrors(t *testing.T) {
	g := ddps.Example()
	for in, want := range map[string]string{
		"":                                "no rewards",
		"layer,from,to,reward\n":          "no rewards",
		"1,A,B,1\n1,A,E,1\n":              `u.csv:2: there is no edge from "A" to "E"`,
		"1,A,B,NaN\n":                     "not a finite number",
		"1,A,B,inf\n":                     "not a finite number",
		"1,A,B\n":                         "3 fields",
		"0,A,B,1\n":                       "layer",
		"4,H,A,1\n":                       "layer",
		"*,A,J,1\n":                       "no edge",
		"1,A,\"B,1\n":                     "column",
		"1,A,B,1e308\n1,A,B,1e308\n":      "not a finite number",
		"layer,from,to,reward\n2,A,B,1\n": "u.csv:2",
	} {
		if _, err := ReadRewards("u.csv", strings.NewReader(in), g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
	if u, err := ReadRewards("u.csv", strings.NewReader("*, A ,B,2\n"), g); err != nil || u[0] != 2 {
		t.Errorf("any layer: %v, %v", u, err)
	}
}

func FuzzReadRewards(f *testing.F) {
	f.Add("layer,from,to,reward\n1,A,B,1\n*,C,E,-2\n")
	f.Fuzz(func(t *testing.T, in string) {
		if u, err := ReadRewards("u.csv", strings.NewReader(in), ddps.Example()); err == nil {
			var b bytes.Buffer
			if err := WriteRewards(&b, ddps.Example(), u); err != nil {
				t.Fatal(err)
			}
		}
	})
}
