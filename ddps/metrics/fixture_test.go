package metrics

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// oracle holds numbers of an independent program in float64: distances of two small distributions, and FLGD and IS-L on
// a graph of 11 layers and 1,063 paths between p ∝ 1 + 3·[i divisible by 7] and q uniform, the paths in
// lexicographic order.
type oracle struct {
	Layers []int
	Edges  [][2]int
	NPaths int
	Small  struct {
		P, Q        []float64
		KL, L1, SFD float64
	} `json:"metrics_small"`
	Paths struct {
		FLGD  float64 `json:"flgd"`
		ISLL1 float64 `json:"isl_l1"`
		ISLKL float64 `json:"isl_kl"`
		ISLTV float64 `json:"isl_tv"`
		ISLSF float64 `json:"isl_sf"`
	} `json:"metrics_paths"`
}

func loadOracle(tb testing.TB) (*oracle, *ddps.LayeredGraph) {
	tb.Helper()
	data, err := os.ReadFile("testdata/oracle.json")
	if err != nil {
		tb.Fatal(err)
	}
	o := new(oracle)
	if err := json.Unmarshal(data, o); err != nil {
		tb.Fatal(err)
	}
	n := 0
	for _, s := range o.Layers {
		n += s
	}
	heads := make([][]int, n)
	for _, e := range o.Edges {
		heads[e[0]] = append(heads[e[0]], e[1])
	}
	g, err := ddps.New(o.Layers, heads)
	if err != nil {
		tb.Fatal(err)
	}
	return o, g
}

// oracleLaws returns the oracle's p and q as weighted lists of all paths.
func oracleDistributions(tb testing.TB) (o *oracle, g *ddps.LayeredGraph, p, q Sample) {
	o, g = loadOracle(tb)
	q.Paths = slices.Collect(g.Paths())
	if len(q.Paths) != o.NPaths {
		tb.Fatalf("%d paths, want %d", len(q.Paths), o.NPaths)
	}
	p.Paths = q.Paths
	for i := range q.Paths {
		w := 1.0
		if i%7 == 0 {
			w = 4
		}
		p.Weights = append(p.Weights, w)
	}
	return o, g, p, q
}

func near(t *testing.T, what string, got float64, err error, want, tol float64) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	} else if !(math.Abs(got-want) <= tol) && got != want {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}
