package ddps

import "testing"

func TestLetters(t *testing.T) {
	g := Example() // A | B C D | E F G | H I J
	for _, c := range []struct {
		alphabet string
		first    int
		ok       bool
	}{{"HIJ", 3, true}, {"HI", 4, false}, {"EFGHIJ", 2, true}, {"ABCDEFGHIJ", 0, true}, {"ABCDHIJ", 3, true},
		{Bases, 4, false}, {"", 4, false}} {
		if first, ok := g.Letters(c.alphabet); first != c.first || ok != c.ok {
			t.Errorf("%q: %d, %v, want %d, %v", c.alphabet, first, ok, c.first, c.ok)
		}
	}
	bare, err := New([]int{1, 1}, [][]int{{1}, {}})
	if err != nil {
		t.Fatal(err)
	}
	if first, ok := bare.Letters("01"); ok || first != 2 {
		t.Errorf("without names: %d, %v", first, ok)
	}
}
