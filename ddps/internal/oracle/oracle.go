// Package oracle holds right answers for tests: numbers of an independent float64 program, and distributions found by
// enumerating all paths of small graphs. Tests alone import it.
package oracle

import (
	"embed"
	"encoding/json"

	"github.com/ddps-go/ddps/ddps"
)

//go:embed testdata/vectors.json testdata/vectors2.json
var files embed.FS

// Kernel is the distribution of one row under two reverse kernels.
type Kernel struct{ Austin, Mixture []float64 }

// Vectors are the independent program's numbers; slices of edges are in the graph's numbering.
type Vectors struct {
	Layers      []int     `json:"layers"`
	Edges       [][2]int  `json:"edges"`
	NPaths      int       `json:"npaths"`
	U           []float64 `json:"u"`
	RMax        float64   `json:"Rmax"`
	Tight       []int     `json:"tight"`
	NMax        int       `json:"n_max_paths"`
	Z           []float64 `json:"z"`
	Pi          []float64 `json:"pi"`
	Reach       []float64 `json:"p_v"`
	RBar        float64   `json:"Rbar"`
	Grad        []float64 `json:"grad"`
	RBarPrinted float64   `json:"Rbar_literal"`
	GradPrinted []float64 `json:"grad_literal"`
	PMax        float64   `json:"P_Rmax"`
	Schedule    struct {
		T    int
		Abar map[string]float64 `json:"abar"`
		Beta map[string]float64 `json:"beta"`
	} `json:"schedule"`
	KernelRow struct {
		D   int
		Xt  int               `json:"x_t"`
		Pi  []float64         `json:"pi"`
		ByT map[string]Kernel `json:"by_t"`
	} `json:"kernel_row"`
	Xt    []int32 `json:"x_t"`
	Bayes map[string]struct {
		Pi        []*float64 `json:"pi"` // null: no path gets there
		Occupancy []float64  `json:"occupancy"`
	} `json:"bayes"`
}

// Vectors2 are further numbers on the same graph.
type Vectors2 struct {
	Pi0   []float64 `json:"pi0"`
	T     int       `json:"t"`
	S     int       `json:"s"`
	Xt    []int32   `json:"x_t"`
	Xs    []int32   `json:"x_s"`
	Exact struct {
		Pi    []float64 `json:"pi"`
		Reach []float64 `json:"p_v"`
	} `json:"exact_denoiser"`
	Bound struct {
		Edges   []int   `json:"path_edges"`
		Cost    float64 `json:"cost"`
		LogZ    float64 `json:"log_Z"`
		SumLogR float64 `json:"sum_log_r"`
	} `json:"bound_step"`
	Joint struct {
		Vertex int       `json:"vertex"`
		Reach  float64   `json:"p_v"`
		Dist   []float64 `json:"marginal_x_s"`
	} `json:"joint_row"`
}

// Load returns the numbers and the Toy graph that they are about. It panics if the embedded files are wrong.
func Load() (*Vectors, *Vectors2, *ddps.LayeredGraph) {
	var a Vectors
	var b Vectors2
	for name, into := range map[string]any{"vectors.json": &a, "vectors2.json": &b} {
		data, err := files.ReadFile("testdata/" + name)
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			panic("oracle: " + name + ": " + err.Error())
		}
	}
	n := 0
	for _, s := range a.Layers {
		n += s
	}
	heads := make([][]int, n)
	for _, e := range a.Edges {
		heads[e[0]] = append(heads[e[0]], e[1])
	}
	g, err := ddps.New(a.Layers, heads)
	if err != nil {
		panic(err)
	}
	return &a, &b, g
}
