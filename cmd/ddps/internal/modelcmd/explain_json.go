package modelcmd

import (
	"math"
	"math/big"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/query"
)

// shareOut is a share as JSON; what is not a finite number is null.
type shareOut struct {
	Condition string   `json:"condition"`
	Paths     *big.Int `json:"paths"`
	Data      any      `json:"data"`
	Chain     any      `json:"chain"`
	LogData   any      `json:"log_data"`
	LogChain  any      `json:"log_chain"`
}

// termOut is a term as JSON.
type termOut struct {
	shareOut
	States    int `json:"states"`
	Edges     int `json:"edges"`
	LogModel  any `json:"log_model"`
	LogOthers any `json:"log_others"`
	LogGiven  any `json:"log_given_others"`
	StdErr    any `json:"log_given_stderr"` // of log_given_others
}

// pathOut is a most likely path as JSON.
type pathOut struct {
	Path    []string `json:"path"`
	LogProb any      `json:"log_probability"`
	Sure    bool     `json:"sure"`
	Weight  any      `json:"log_weight,omitempty"` // where the condition weighs
}

// meanOut is an expected total as JSON.
type meanOut struct {
	Total    string `json:"total"`
	Given    any    `json:"given"`
	GivenErr any    `json:"given_stderr"`
	All      any    `json:"all"`
	AllErr   any    `json:"all_stderr"`
}

// finite is x, or null where it is not a finite number.
func finite(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

func shareJSON(s query.Share) shareOut {
	return shareOut{s.Text, s.Paths, finite(s.Data), finite(s.Chain), finite(s.LogData), finite(s.LogChain)}
}

// placesOf names the vertices of a path, those of a walk without source and END.
func placesOf(g *ddps.LayeredGraph, p ddps.Path) []string {
	if g.Walks() {
		return sequences.Names(g)(p)
	}
	names := make([]string, len(p))
	for l, v := range p {
		names[l] = g.Name(v)
	}
	return names
}

func pathJSON(g *ddps.LayeredGraph, l *query.MostLikely, weight func(ddps.Path) any) any {
	if l == nil {
		return nil
	}
	return pathOut{placesOf(g, l.Path), finite(l.LogProb), l.Sure, weight(l.Path)}
}

// explanationJSON is an explanation as JSON.
func explanationJSON(g *ddps.LayeredGraph, e *query.Explanation, c guide.Condition) any {
	weight := func(p ddps.Path) any {
		if !e.Weighs {
			return nil
		}
		return finite(c.LogWeight(p))
	}
	all, thread := e.Product.Bytes()
	out := struct {
		shareOut
		Weighs   bool      `json:"weighs"`
		All      *big.Int  `json:"all_paths"`
		States   int       `json:"states"`
		Edges    int       `json:"edges"`
		Bytes    uint64    `json:"bytes"`
		Thread   uint64    `json:"bytes_per_thread"`
		Notes    []string  `json:"notes,omitempty"`
		Absent   []string  `json:"absent,omitempty"`
		Model    any       `json:"model"`
		LogModel any       `json:"log_model"`
		LogMost  any       `json:"log_at_most,omitempty"`
		StdErr   any       `json:"model_stderr"`
		Chains   any       `json:"most_likely_chain"`
		Models   any       `json:"most_likely_model"`
		Of       string    `json:"of"` // whose best, means and terms are
		Draws    int       `json:"draws,omitempty"`
		Best     []any     `json:"best,omitempty"`
		Means    []meanOut `json:"means,omitempty"`
		Terms    []termOut `json:"terms,omitempty"`
	}{shareOut: shareJSON(e.Share), Weighs: e.Weighs, All: e.All, States: e.Product.States(), Edges: e.Product.Edges(),
		Bytes: all, Thread: thread,
		Notes: e.Product.Notes, Absent: e.Product.Absent,
		Model: finite(e.Model), LogModel: finite(e.LogModel), LogMost: finite(e.LogMost),
		StdErr: finite(e.StdErr), Of: e.Of, Draws: e.Draws}
	out.Chains, out.Models = pathJSON(g, e.Chains, weight), pathJSON(g, e.Models, weight)
	for i := range e.Best {
		out.Best = append(out.Best, pathJSON(g, &e.Best[i], weight))
	}
	for _, t := range e.Totals {
		out.Means = append(out.Means, meanOut{t.Name, finite(t.Given), finite(t.GivenErr),
			finite(t.All), finite(t.AllErr)})
	}
	for _, t := range e.Terms {
		out.Terms = append(out.Terms, termOut{shareJSON(t.Share), t.States, t.Edges, finite(t.LogModel),
			finite(t.LogOthers), finite(t.LogGiven), finite(t.StdErr)})
	}
	return out
}
