package where

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// dna is the lattice of all sequences of n letters; lead is what its first layer is called.
func dna(t testing.TB, lead string, n int) *ddps.LayeredGraph {
	sizes, heads, names := []int{1}, make([][]int, 1+4*n), []string{lead}
	heads[0] = []int{1, 2, 3, 4}
	for i := range n {
		sizes, names = append(sizes, 4), append(names, "A", "C", "G", "T")
		for v := 1 + 4*i; v < 5+4*i && i < n-1; v++ {
			heads[v] = []int{5 + 4*i, 6 + 4*i, 7 + 4*i, 8 + 4*i}
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: names})
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Motifs, GC content and what is built of them, against all sequences of five letters and regular expressions.
func TestMotifs(t *testing.T) {
	count := func(s string) int { return strings.Count(s, "G") + strings.Count(s, "C") }
	match := func(re string) func(string) bool { return regexp.MustCompile(re).MatchString }
	for _, c := range []struct {
		text, canonical string
		met             func(s string) bool
	}{
		{`motif("TAT")`, "", match("TAT")},
		{`motif("taa", 2)`, `motif("TAA", 2)`, match("^.TAA")},
		{`motif("TANNR", at 1)`, `motif("TANNR", 1)`, match("^TA..[AG]")},
		{`motif("WSB")`, "", match("[AT][CG][CGT]")},
		{`motif("YKMD")`, "", match("[CT][GT][AC][AGT]")},
		{`motif("HV", 3)`, "", match("^..[ACT][ACG]")},
		{`avoid(motif("GATC"))`, "", func(s string) bool { return !strings.Contains(s, "GATC") }},
		{`avoid(motif("AA", 4))`, "", func(s string) bool { return !strings.HasSuffix(s, "AA") }},
		{`motif("AAA") and motif("TAA")`, "", func(s string) bool {
			return strings.Contains(s, "AAA") &&
				strings.Contains(s, "TAA")
		}},
		{`gc <= 40 % and gc >= 20 %`, "", func(s string) bool { return count(s) >= 1 && count(s) <= 2 }},
		{`gc <= 59.9 % and motif("C", 1)`, "", func(s string) bool { return count(s) <= 2 && s[0] == 'C' }},
		{`gc = 60 %`, "", func(s string) bool { return count(s) == 3 }},
		{`gc <= 2 and gc >= 1`, "", func(s string) bool { return count(s) >= 1 && count(s) <= 2 }},
		{`max(gc) and motif("C", 1)`, "", func(s string) bool { return count(s) == 5 && s[0] == 'C' }},
		{`motif("TATA") and gc = 1 and avoid("C")`, "", func(s string) bool {
			return strings.Contains(s, "TATA") && count(s) == 1 && !strings.Contains(s, "C")
		}},
	} {
		g := dna(t, "source", 5)
		x, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if c.canonical == "" {
			c.canonical = c.text
		}
		cond, err := x.Condition(g, nil)
		if err != nil || cond.String() != c.canonical {
			t.Errorf("%s: called %v, %v", c.text, cond, err)
			continue
		}
		met := int64(0)
		for p := range g.Paths() {
			s := ""
			for _, v := range p[1:] {
				s += g.Name(v)
			}
			if c.met(s) {
				met++
			}
			if w := cond.LogWeight(p); (w == 0) != c.met(s) {
				t.Fatalf("%s: %s has log weight %v", c.text, s, w)
			}
		}
		if n := guide.Count(g, cond).Int64(); n != met || n == 0 {
			t.Errorf("%s: %d paths, want %d", c.text, n, met)
		}
	}
	g := dna(t, "G", 3) // a first letter that all share
	cond, err := must(Parse(`motif("GA", 1) and gc = 3`)).Condition(g, nil)
	if err != nil || guide.Count(g, cond).Int64() != 4 {
		t.Error(cond, err)
	}
	if own, err := must(Parse(`gc >= 9`)).Condition(g,
		map[string][]float64{"gc": make([]float64, g.NumEdges())}); err == nil {
		t.Error("the caller's own total is not taken:", own)
	}
}

func TestMotifErrors(t *testing.T) {
	g, other := dna(t, "source", 5), ddps.Example()
	for _, c := range []struct {
		text, caret, want string
		g                 *ddps.LayeredGraph
	}{
		{`motif("TAX")`, `         ^`, `'X' is no letter of DNA`, g},
		{`gc <= 2 and motif("T-T")`, `                    ^`, `'-' is no letter of DNA`, g},
		{`motif("\x54E")`, `      ^`, `'E' is no letter`, g},
		{`motif("ſ")`, `       ^`, `'ſ' is no letter`, g},
		{`motif("")`, `      ^`, `letters in quotes`, g},
		{`motif(TATA)`, `      ^`, "expected letters in quotes, like ", g},
		{`motif("TA", 0)`, `            ^`, "found 0", g},
		{`motif("TA", at x)`, `               ^`, "found x", g},
		{`motif("TA", layer 3)`, `            ^`, "found layer", g},
		{`avoid(motif("TA")`, `                 ^`, "expected ), found the end", g},
		{`gc <= 2 and motif("TATA", 3)`, `            ^`, "would end at position 6, and a sequence ends at 5", g},
		{`motif("TATATA")`, `^`, "has 6 letters, more than the 5", g},
		{`motif("` + strings.Repeat("N", 63) + `")`, `^`, "has 63 letters, more than the 5", g},
		{`gc <= 0.5`, `^`, "a share is like gc <= 35%", g},
		{`gc <= 101 %`, `      ^`, "101 % is not within 0 to 100", g},
		{`visit("A") and cost <= 3 %`, `                         ^`, "% is for gc", other},
		{`motif("A")`, `^`, "motifs are of DNA", other},
		{`visit("A") and gc <= 3`, `               ^`, "gc counts letters of DNA", other},
	} {
		x, err := Parse(c.text)
		if err == nil {
			_, err = x.Condition(c.g, nil)
		}
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
			continue
		}
		if e.Caret() != c.text+"\n"+c.caret {
			t.Errorf("caret:\n%s\nwant\n%s\n%s", e.Caret(), c.text, c.caret)
		}
	}
	for text, want := range map[string]string{
		`motif("TATA") and gc >= 4`:             `no path meets motif("TATA") and gc >= 4 together`,
		`motif("TATA", 1) and motif("TATA", 2)`: `no path meets motif("TATA", 1) and motif("TATA", 2) together`,
		`avoid(motif("N", 3))`:                  `where: avoid(motif("N", 3)): no path meets it`,
	} {
		if _, err := must(Parse(text)).Condition(g, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
