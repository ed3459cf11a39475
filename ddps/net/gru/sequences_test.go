package gru

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// sequences returns the graph of the walks, layer = position after a source: any token may start, moves are the pairs
// of neighbours in any walk, any token may end from the shortest length on.
func sequences(t testing.TB, walks [][]string) (*ddps.LayeredGraph, func(w []string) ddps.Path) {
	t.Helper()
	number, shortest, longest := map[string]int{}, len(walks[0]), 0
	for _, w := range walks {
		shortest, longest = min(shortest, len(w)), max(longest, len(w))
		for _, x := range w {
			number[x] = 0
		}
	}
	names := []string{}
	for x := range number {
		names = append(names, x)
	}
	slices.Sort(names)
	n := len(names)
	for i, x := range names {
		number[x] = i
	}
	move := make([]bool, n*n)
	for _, w := range walks {
		for i := 1; i < len(w); i++ {
			move[number[w[i-1]]*n+number[w[i]]] = true
		}
	}
	layers := longest + 1
	if shortest < longest {
		layers++
	}
	// has reports whether layer l has token i, n for the end; layer 0 is the source.
	alive := make([][]bool, layers)
	for l := layers - 1; l > 0; l-- {
		alive[l] = make([]bool, n+1)
		alive[l][n] = shortest < longest && l > shortest
		for i := 0; i < n && l <= longest; i++ {
			ok := l == longest || l >= shortest
			for j := range n {
				ok = ok || move[i*n+j] && alive[l+1][j]
			}
			alive[l][i] = ok
		}
	}
	sizes, place, at := []int{1}, []int{-1}, make([][]int, layers)
	for l := 1; l < layers; l++ {
		at[l] = make([]int, n+1)
		sizes = append(sizes, 0)
		for i, ok := range alive[l] {
			if at[l][i] = -1; ok {
				at[l][i] = len(place)
				place = append(place, i)
				sizes[l]++
			}
		}
	}
	heads := make([][]int, len(place))
	for i := range n {
		if at[1][i] >= 0 {
			heads[0] = append(heads[0], at[1][i])
		}
	}
	for l := 1; l < layers-1; l++ {
		for i, v := range at[l] {
			for j, w := range at[l+1] {
				if v >= 0 && w >= 0 && (j == n || i < n && move[i*n+j]) {
					heads[v] = append(heads[v], w)
				}
			}
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: place})
	}
	if err != nil {
		t.Fatal(err)
	}
	return g, func(w []string) ddps.Path {
		p := ddps.Path{0}
		for l := 1; l < layers; l++ {
			i := n
			if l <= len(w) {
				i = number[w[l-1]]
			}
			p = append(p, at[l][i])
		}
		return p
	}
}
