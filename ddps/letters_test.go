package ddps

import "testing"

func TestLetters(t *testing.T) {
	g := Example() // A | B C D | E F G | H I J
	for _, c := range []struct {
		alphabet string
		first    int
		ok       bool
	}{{"HIJ", 0, false}, {"EFGHIJ", 0, false}, {"ABCDEFGHIJ", 0, true}, {"BCDEFGHIJ", 1, true}, {"ABCDHIJ", 0, false},
		{Bases, 0, false}, {"", 0, false}} { // places called by a letter in the last layer are no sequence
		if first, ok := g.Letters(c.alphabet); first != c.first || ok != c.ok {
			t.Errorf("%q: %d, %v, want %d, %v", c.alphabet, first, ok, c.first, c.ok)
		}
	}
	bare, err := New([]int{1, 1}, [][]int{{1}, {}})
	if err != nil {
		t.Fatal(err)
	}
	if first, ok := bare.Letters("01"); ok || first != 0 {
		t.Errorf("without names: %d, %v", first, ok)
	}
}
