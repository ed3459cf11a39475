package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// GraphNames are the names by which the program's own graphs are called.
func GraphNames() []string { return []string{"toy", "rq1", "heights", "ridge", "example", "dna"} }

// LoadGraph returns the graph that an argument means: one of graphNames, - for
// standard input, or a file; Heights is heights. Errors name the file and, of what is in it, the line
// or the field. A file called like a name is reached as ./toy.
func LoadGraph(arg string) (*ddps.LayeredGraph, error) {
	switch strings.ToLower(arg) {
	case "toy":
		return datasets.Toy(datasets.ToySeed)
	case "rq1":
		return datasets.RQ1(datasets.RQ1Seed)
	case "heights":
		return datasets.HeightsGraph()
	case "ridge":
		return datasets.RidgeGraph()
	case "example":
		return ddps.Example(), nil
	case "dna":
		return datasets.DNA(datasets.DNALength)
	case "-":
		return readGraph("standard input", os.Stdin)
	}
	f, err := os.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w%s", arg, Reason(err), graphHint(arg, err))
	}
	defer f.Close()
	return readGraph(arg, f)
}

// graphHint names the program's own graphs to who asks for a file that is not there and has no ending.
func graphHint(arg string, err error) string {
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(arg, "./\\") {
		return ""
	}
	if arg == "city" {
		return "; 'ddps graph make city' writes one"
	}
	if near := names.Near(arg, GraphNames()); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ", and the program's own graphs are " + strings.Join(GraphNames(), ", ")
}

func readGraph(name string, r io.Reader) (*ddps.LayeredGraph, error) {
	g, err := pathfile.ReadGraph(name, r)
	if err != nil && Reason(err) != err {
		err = fmt.Errorf("%s: %w", name, Reason(err))
	}
	return g, err
}

// PathText writes a path for people: see PathTexter.
func PathText(g *ddps.LayeredGraph, p ddps.Path) string { return PathTexter(g)(p) }

// PathTexter returns a function that writes paths of g for people: their vertices, without those that pad a walk or are
// on the way, with what people call places in brackets (ddps.LayeredGraph.Labels), or the letters of DNA.
func PathTexter(g *ddps.LayeredGraph) func(ddps.Path) string {
	if first, ok := g.Letters(ddps.Bases); ok && !g.Walks() {
		return func(p ddps.Path) string {
			letters := ""
			for _, v := range p[first:] {
				letters += g.Name(v)
			}
			return letters
		}
	}
	walk, labels := g.WalkNamer(), g.Labels()
	return func(p ddps.Path) string {
		w := walk(p)
		names := slices.Clone(w.Names)
		for k, l := range w.Layers {
			if labels != nil && l < len(p) && labels[p[l]] != "" && (k == 0 || w.Names[k] != w.Names[k-1]) {
				names[k] += " (" + labels[p[l]] + ")"
			}
		}
		return strings.Join(names, " → ")
	}
}

// PathEndings are the endings of path files.
func PathEndings() []string {
	return []string{"csv", "jsonl", "ndjson", "parquet", "fasta", "geojson"}
}

// PathFormat returns the format of a file to write: what is asked for, or else
// what the ending says, or CSV for standard output.
func PathFormat(path, asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	if path == "" || path == "-" {
		return pathfile.CSV, nil
	}
	format, err := pathfile.FormatOf(path)
	if err != nil {
		return "", Usagef("%w: name the format with --format", err)
	}
	return format, nil
}

// WritePaths returns what writes d in a format, with vertices by name or number.
func WritePaths(d *datasets.Data, format string, by pathfile.Vertices) func(io.Writer) error {
	return func(w io.Writer) error {
		out, err := pathfile.NewWriter(w, d.Graph, format, by)
		if err != nil {
			return err
		}
		return pathfile.WritePaths(out, d)
	}
}

// ByVar adds a flag for how vertices are called.
func ByVar(cmd *cobra.Command, p *string, name, usage string) {
	ChoiceVar(cmd, p, name, "", "name", []string{"name", "number"}, usage)
}

// ByOutVar is ByVar for a file that is written.
func ByOutVar(cmd *cobra.Command, p *string, name, usage string) {
	ChoiceVar(cmd, p, name, "", "name", []string{"name", "number", "timed"}, usage+"; timed: names, and the times of day "+
		"at which they are reached")
}

// Vertices returns how a file calls vertices: by "name" or by "number", or by name with times, "timed".
func Vertices(by string) pathfile.Vertices {
	switch by {
	case "number":
		return pathfile.ByNumber
	case "timed":
		return pathfile.Timed
	}
	return pathfile.ByName
}

// LoadPaths reads a graph and a file of its paths. "dna" is of the length of the sequences that the file has, if it is
// FASTA.
func (a *App) LoadPaths(graph, file, by string) (*datasets.Data, error) {
	load := func() (*ddps.LayeredGraph, error) { return LoadGraph(graph) }
	if format, err := PathFormat(strings.TrimSuffix(file, ".gz"), ""); graph == "dna" && err == nil && format == "fasta" {
		load = func() (*ddps.LayeredGraph, error) { return pathfile.DNAOf(file) }
	}
	g, err := load()
	if err != nil {
		return nil, err
	}
	return a.ReadPaths(file, g, by)
}

// ReadPaths reads a file of paths, and notes what was found out. Where g's paths are walks, those that are none of its
// paths are left out and counted; it is an error if none is left.
func (a *App) ReadPaths(file string, g *ddps.LayeredGraph, by string) (*datasets.Data, error) {
	if g.Walks() && by != "number" {
		d, _, err := (&WalkFlags{}).walkRows(a, file, g)
		return d, err
	}
	read := func() (*datasets.Data, error) { return pathfile.ReadFile(file, g, Vertices(by)) }
	if file == "-" {
		read = func() (*datasets.Data, error) { return a.readInput(g, by) }
	}
	end := a.Working("reading " + file)
	d, err := read()
	end()
	if err == nil {
		for _, text := range d.Notes {
			a.Notef("%s: %s", file, text)
		}
	}
	return d, err
}

// LoadReward returns a reward of g by edge: of a file, or random:R[:SEED] or rare:R[:SEED].
func (a *App) LoadReward(arg string, g *ddps.LayeredGraph) ([]float64, error) {
	return a.loadTotal(arg, g, pathfile.ReadRewardFile)
}

// loadTotal is LoadReward, by read where arg is a file.
func (a *App) loadTotal(arg string, g *ddps.LayeredGraph, read func(string, *ddps.LayeredGraph,
	...func(string)) ([]float64, error)) ([]float64, error) {
	kind, rest, ok := strings.Cut(arg, ":")
	if !ok || (kind != "random" && kind != "rare") {
		return read(arg, g, func(text string) { a.Notef("%s: %s", arg, text) })
	}
	var r int
	var seed uint64
	text, seedText, hasSeed := strings.Cut(rest, ":")
	if _, err := fmt.Sscanf(text+"\n", "%d\n", &r); err != nil {
		return nil, Usagef("reward %q: expected %s:R or %s:R:SEED, R a whole number", arg, kind, kind)
	}
	if hasSeed {
		if _, err := fmt.Sscanf(seedText+"\n", "%d\n", &seed); err != nil {
			return nil, Usagef("reward %q: the seed is not a whole number", arg)
		}
	}
	if kind == "rare" {
		return datasets.RareReward(g, r, seed)
	}
	return datasets.RewardInstance(g, r, seed)
}

// LoadTotals loads a reward and a cost, nil where there is none.
func (a *App) LoadTotals(reward, cost string, g *ddps.LayeredGraph) (u, c []float64, err error) {
	if reward != "" {
		if u, err = a.LoadReward(reward, g); err != nil {
			return nil, nil, err
		}
	}
	if cost != "" {
		c, err = a.loadTotal(cost, g, pathfile.ReadCostFile)
	}
	return u, c, err
}
