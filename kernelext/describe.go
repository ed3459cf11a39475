package kernelext

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
)

// How much of a value is described.
const (
	maxItems = 100 // of a list
	someOf   = 20  // shown of a longer one
	maxRunes = 8000
)

// Describe returns x as text, in one form for people: paths as v → w, long lists with their middle left out.
func Describe(x any) string {
	switch x := x.(type) {
	case error:
		return x.Error()
	case ddps.Path:
		return pathText(x)
	case []ddps.Path:
		return describePaths(x)
	case ddps.PALM:
		return "PALM " + list(reflect.ValueOf(x))
	case *model.Model:
		return describeModel(x)
	case *chain.Chain:
		return "Markov chain on " + describeGraph(x.Graph)
	case string:
		return x
	case fmt.Stringer:
		return cut(x.String())
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Func:
		return v.Type().String()
	case reflect.Slice, reflect.Array:
		if v.Len() > maxItems {
			return cut(list(v))
		}
	}
	return cut(fmt.Sprintf("%+v", x))
}

func cut(s string) string {
	if len(s) <= maxRunes {
		return s
	}
	r := []rune(s)
	if len(r) <= maxRunes {
		return s
	}
	return string(r[:maxRunes]) + fmt.Sprintf("… (%d characters in all)", len(r))
}

// list writes the elements of a slice, the middle of a long one left out.
func list(v reflect.Value) string {
	n := v.Len()
	if n <= maxItems {
		return fmt.Sprintf("%v", v.Interface())
	}
	if v.Kind() == reflect.Array && !v.CanAddr() { // only what has an address can be cut
		w := reflect.New(v.Type()).Elem()
		w.Set(v)
		v = w
	}
	return fmt.Sprintf("[%s … %s] (%d in all)", inner(v.Slice(0, someOf)), inner(v.Slice(n-3, n)), n)
}

func inner(v reflect.Value) string {
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%v", v.Interface()), "["), "]")
}

func pathText(p ddps.Path) string {
	names := make([]string, len(p))
	for i, v := range p {
		names[i] = fmt.Sprint(v)
	}
	return strings.Join(names, " → ")
}

func describePaths(list []ddps.Path) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d paths", len(list))
	for i, p := range list {
		if i == 10 && len(list) > 11 {
			b.WriteString("\n…")
			break
		}
		b.WriteString("\n" + pathText(p))
	}
	return b.String()
}

func describeGraph(g *ddps.LayeredGraph) string {
	if g == nil {
		return "<nil>"
	}
	on := 0
	for _, ok := range g.Reachable() {
		if ok {
			on++
		}
	}
	name := g.Meta().Attr["name"]
	if name == "" {
		name = "graph"
	}
	return fmt.Sprintf("%s: %d layers, %d vertices (%d on some path), %d edges, out-degrees up to %d, %s paths", name,
		g.NumLayers(), g.NumVertices(), on, g.NumEdges(), g.MaxDegree(), ddps.NumPaths(g))
}

// describeData returns the first paths of data by the names of their vertices.
func describeData(d *datasets.Data) *Table {
	t := NewTable("path", "count")
	if d == nil {
		return t
	}
	t.Title = fmt.Sprintf("%d distinct paths, %d with repetitions; %s", len(d.Paths), d.Total(), describeGraph(d.Graph))
	for i, p := range d.Paths {
		if i == 10 {
			t.Add("…", "")
			break
		}
		names := make([]string, len(p))
		for l, v := range p {
			names[l] = d.Graph.Name(v)
		}
		t.Add(strings.Join(names, " → "), d.Count(i))
	}
	return t
}

func describeModel(m *model.Model) string {
	if m == nil {
		return "<nil>"
	}
	kind := m.Config.Kind()
	if n := m.Parameters(); n > 0 {
		kind += fmt.Sprintf(" with %d weights", n)
	}
	return fmt.Sprintf("diffusion model: %s, T = %d, on %s", kind, m.Schedule.T(), describeGraph(m.Graph))
}
