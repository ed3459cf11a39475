package tracks

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// placeNames finds what a graph calls the places that tracks name, in whatever layer.
type placeNames struct {
	known  map[string]bool
	list   []string          // in the order of the vertices
	normal map[string]string // names.Normal of a name → the name, "" where two share it
	like   string            // one of the names found in another form of Unicode
	other  int               // how many these were
	asked  map[string]string // meant's answers
}

func newPlaceNames(g *ddps.LayeredGraph) *placeNames {
	x := &placeNames{known: map[string]bool{}, normal: map[string]string{}, asked: map[string]string{}}
	for v := range g.NumVertices() {
		name := g.Name(v)
		if x.known[name] {
			continue
		}
		x.known[name] = true
		x.list = append(x.list, name)
		n := names.Normal(name)
		if _, twice := x.normal[n]; twice {
			name = ""
		}
		x.normal[n] = name
	}
	return x
}

// called returns the graph's name for what a track calls name: the same, or else one that has the same normal form;
// name itself where there is none.
func (x *placeNames) called(name string) string {
	if name == "" || x.known[name] {
		return name
	}
	called := x.normal[names.Normal(name)]
	if called == "" {
		return name
	}
	x.other++
	x.like = called
	return called
}

// mostAsked is for how many names that are not known a near one is looked for.
const mostAsked = 100

// meant is ", did you mean …?" of a name that is near one that is not known, "" if there is none.
func (x *placeNames) meant(name string) string {
	text, known := x.asked[name]
	if !known && len(x.asked) < mostAsked {
		text = names.Meant(name, x.list)
		x.asked[name] = text
	}
	return text
}
