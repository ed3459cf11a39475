package where

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// A condition that takes long to compile ends with its context, in every construction.
func TestCompileContext(t *testing.T) {
	sizes, heads := []int{1}, [][]int{{1, 2, 3, 4}}
	names := []string{"s"}
	for l := range 40 {
		sizes = append(sizes, 4)
		for x := range 4 {
			var h []int
			for y := range 4 {
				if l < 39 {
					h = append(h, 5+4*l+y)
				}
			}
			heads, names = append(heads, h), append(names, fmt.Sprint("p", x))
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: names})
	}
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(e*e%1009) / 7
	}
	env := Env{Totals: map[string][]float64{"reward": u}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{`visits("p1") = 9 and visits("p2") = 9`, `visits("p1") = 9 or not visits("p2") = 9`,
		`reward >= 1000`, `regex('.* p1 .{9} p2 .*')`} {
		x, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.CompileContext(ended, g, env); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: after its context: %v", text, err)
		}
	}
	x, _ := Parse(strings.Repeat(`visits("p1") = 9 and `, 3) + `visits("p2") = 9`)
	_, err = x.Compile(g, Env{MaxEdges: 6000})
	if !errors.Is(err, guide.ErrTooLarge) || strings.Count(err.Error(), `visits("p1") = 9 (`) != 1 {
		t.Errorf("a term said three times is one, %v", err)
	}
}
