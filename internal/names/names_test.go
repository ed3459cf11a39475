package names

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	known := []string{"Market", "Käpylä", "Old_Town", "C", "Station 1", "Station 2", ""}
	for name, want := range map[string]string{
		"market": "Market", "Kapyla": "Käpylä", "KÄPYLÄ": "Käpylä", "Ka\u0308pyla\u0308": "Käpylä", "old town": "Old_Town",
		"Markt": "Market", "Marekt": "Market", "c": "C", "D": "", "Station 3": "Station 1", "Statio 2": "Station 2", "": "",
		"Nowhere": "",
	} {
		if got := Near(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if Meant("market", known) != `, did you mean "Market"?` || Meant("D", known) != "" {
		t.Error("Meant")
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"abc", "", 3}, {"flaw", "lawn", 2}} {
		if got := Edits(c.a, c.b, 9); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNormal(t *testing.T) {
	if Normal(" Ka\u0308pyla\u0308\t") != "Käpylä" || Cased("STRASSE") != Cased("straße") ||
		Folded("Old-Town.1 ") != "oldtown1" {
		t.Error(Normal(" Ka\u0308pyla\u0308\t"), Cased("STRASSE"), Folded("Old-Town.1 "))
	}
}

// A name of megabytes is far from all others without any work.
func TestEditsOfLongNames(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	if n := testing.AllocsPerRun(10, func() {
		if Edits(long, "ab", 2) != 3 || Edits("ab", long, 2) != 3 {
			t.Error("it is near")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
