package lab

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// Example returns the graph of the paper's Figure 1.
func Example() *Graph { return ddps.Example() }

// Toy draws the paper's Toy graph: 11 layers of 1, 4, …, 4 vertices, half of all edges.
//
//	g := must(Toy(1))
func Toy(seed uint64) (*Graph, error) { return datasets.Toy(seed) }

// RQ1 draws the small graph of the paper's first question, about 1,350 paths.
func RQ1(seed uint64) (*Graph, error) { return datasets.RQ1(seed) }

// HeightsGraph returns the street graph of the paper's middle size, 423 vertices in Helsinki.
func HeightsGraph() (*Graph, error) { return datasets.HeightsGraph() }

// RidgeGraph returns the street graph of the paper's large size, 4,293 vertices.
func RidgeGraph() (*Graph, error) { return datasets.RidgeGraph() }

// NewGraph makes a layered graph of layer sizes and, for each vertex, the heads of its edges.
//
//	g := must(NewGraph([]int{1, 2, 1}, [][]int{{1, 2}, {3}, {3}, {}}))
func NewGraph(sizes []int, heads [][]int) (*Graph, error) { return ddps.New(sizes, heads) }

// ReadGraph reads a graph from its JSON file.
func ReadGraph(path string) (*Graph, error) { return run.ReadGraphFile(path) }

// WriteGraph writes a graph to a JSON file, whole or not at all.
func WriteGraph(path string, g *Graph) error {
	err := pathfile.WriteWhole(path, func(w io.Writer) error { _, err := g.WriteTo(w); return err })
	if err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	return nil
}

// ImportMap unrolls a street map, of any format that ddps graph import reads, in time: nodes places nearest to a spot
// in degrees, a layer for each of depth steps. Intersections within 10 m become one.
//
//	g := must(ImportMap("datasets/maps/helsinki.osm.pbf", 24.9509, 60.1708, 60, 10))
func ImportMap(path string, lon, lat float64, nodes, depth int) (*Graph, error) {
	w, err := maps.ReadFile(path, maps.Options{})
	if err != nil {
		return nil, err
	}
	if w, err = w.Merge(10); err != nil {
		return nil, err
	}
	start := w.Nodes[w.Nearest(lon, lat)].ID
	return maps.Expand(w, maps.ExpandOptions{Start: start, Depth: depth, Nodes: nodes})
}

// All returns every path of g once; it is an error if there are more than limit.
//
//	data := must(All(must(Toy(1)), 10000))
func All(g *Graph, limit int) (*Data, error) { return datasets.All(g, limit) }

// Heights returns n distinct paths of HeightsGraph, repeated by a rule with memory.
func Heights(n int, seed uint64) (*Data, error) { return datasets.Heights(n, seed) }

// Ridge returns n distinct paths of RidgeGraph, repeated by a rule with memory.
func Ridge(n int, seed uint64) (*Data, error) { return datasets.Ridge(n, seed) }

// Experiment returns the data of the paper's experiment on "toy", "rq1", "heights", "ridge", "example" or "dna"; preset
// is "quick" or the paper's size, see Presets.
func Experiment(graph, preset string) (*Data, error) { return run.MakeData(graph, preset) }

// Presets lists the presets of Experiment.
func Presets() []string { return run.Presets() }

// Preset returns the preset that the environment's variable DDPS_PRESET names, "quick" where it names none.
func Preset() (string, error) {
	name := os.Getenv("DDPS_PRESET")
	switch {
	case name == "":
		return run.PresetQuick, nil
	case slices.Contains(run.Presets(), name):
		return name, nil
	}
	return "", fmt.Errorf("lab: DDPS_PRESET is %q, must be one of %s", name, strings.Join(run.Presets(), ", "))
}

// RandomPath draws one of all paths of g, each with the same probability.
func RandomPath(g *Graph, seed uint64) Path { return ddps.NewIndex(g).Sample(ddps.Rand(seed, 0)) }

// ReadPaths reads a file of paths of g, .csv by the names of vertices, .jsonl, .parquet or, of DNA, .fasta.
func ReadPaths(path string, g *Graph) (*Data, error) {
	return pathfile.ReadFile(path, g, pathfile.ByName)
}

// WritePaths writes data to a file: .csv, .jsonl, .parquet, .geojson or, of DNA, .fasta.
func WritePaths(path string, d *Data) error { return pathfile.WriteFile(path, d) }

// Gather returns paths of g as data: each distinct one with its count.
func Gather(g *Graph, paths []Path) *Data {
	d := &Data{Graph: g}
	at := map[string]int{}
	for _, p := range paths {
		k := fmt.Sprint(p)
		i, seen := at[k]
		if !seen {
			i = len(d.Paths)
			at[k] = i
			d.Paths, d.Counts = append(d.Paths, p), append(d.Counts, 0)
		}
		d.Counts[i]++
	}
	return d
}

// Encode returns a PALM of p on g: the rows off the path are drawn from seed.
func Encode(g *Graph, p Path, seed uint64) (PALM, error) { return g.Encode(p, ddps.Rand(seed, 0)) }

// RandomReward draws 0/1 rewards by edge of which the best path earns best.
func RandomReward(g *Graph, best int, seed uint64) ([]float64, error) {
	return datasets.RewardInstance(g, best, seed)
}

// RareReward gives reward 1 to best edges of one random path.
func RareReward(g *Graph, best int, seed uint64) ([]float64, error) {
	return datasets.RareReward(g, best, seed)
}

// ReadReward reads a file of rewards: rows of layer,from,to,reward.
func ReadReward(path string, g *Graph) ([]float64, error) { return pathfile.ReadRewardFile(path, g) }

// Where returns the condition that a text describes, such as `reward >= 3 and not visit("12", layer 2..4)`; reward and
// cost, by edge, are what it calls so, nil for none.
func Where(text string, g *Graph, reward, cost []float64) (Condition, error) {
	return query.ParseWhere(text, g, reward, cost)
}
