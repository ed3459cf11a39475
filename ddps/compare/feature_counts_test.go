package compare

import (
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// A path that is on the way in the last layer neither ends at a place nor returns.
func TestFeaturesOnTheWay(t *testing.T) {
	g, err := ddps.New([]int{1, 2, 4}, [][]int{{1, 2}, {3, 6}, {4, 5}, nil, nil, nil, nil})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: []string{"A", "A", "B", "A", "B", "B>A 1/2", "A>B 1/2"},
			Place: []int{0, 0, 1, 0, 1, 2, 3}, Attr: map[string]string{ddps.AttrTransit: "2"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	f := newFeaturer(g)
	for p, want := range map[*ddps.Path][3]int{{0, 1, 3}: {3, 0, 1}, {0, 1, 6}: {2, -1, 0}, {0, 2, 5}: {2, -1, 0},
		{0, 2, 4}: {3, 1, 0}} {
		if w := f.of(*p); [3]int{w.length, w.end, w.returns} != want {
			t.Errorf("%v: %+v, expected length, end and returns %v", *p, w, want)
		}
	}
}
