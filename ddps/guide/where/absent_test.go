package where

import (
	"errors"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/chain"
)

// A place that is not in the layers asked for is never visited there: where that decides the condition, it holds or
// fails, and where a part of it holds all the same, a note says so.
func TestAbsentPlaces(t *testing.T) {
	g, totals := world(t) // layers A | B C D E F G …: B is not in the third
	count := func(text string) int {
		cond, err := must(Parse(text)).Condition(g, totals)
		if errors.Is(err, chain.ErrImpossible) {
			return 0
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		n := 0
		for p := range g.Paths() {
			if cond.LogWeight(p) == 0 {
				n++
			}
		}
		return n
	}
	all := count(`visit("A")`)
	for text, same := range map[string]string{
		`avoid("B", layer 3)`:                                      `visit("A")`,
		`not visit("B", layer 3)`:                                  `visit("A")`,
		`visits("B", layer 3) = 0`:                                 `visit("A")`,
		`visit("B", layer 3) or visit("C")`:                        `visit("C")`,
		`visit({"B", "E"}, layer 3)`:                               `visit("E", layer 3)`,
		`end in {"H", "B"}`:                                        `end in {"H"}`,
		`not end("B")`:                                             `visit("A")`,
		`not start("B") and visit("C")`:                            `visit("C")`,
		`avoid(edge("A", "H"))`:                                    `visit("A")`,
		`visit("C") and not (visit("B", layer 3) then visit("C"))`: `visit("C")`,
		`visit("B", layer 3) within 2 of visit("C") or visit("C")`: `visit("C")`,
	} {
		if got, want := count(text), count(same); got != want || want == 0 || want > all {
			t.Errorf("%s: %d paths, %s: %d", text, got, same, want)
		}
		cond, _ := must(Parse(text)).Condition(g, totals)
		if cond.Product().Notes != nil {
			t.Errorf("%s: not exact: %q", text, cond.Product().Notes)
		}
		if said := strings.Join(cond.Product().Absent, "\n"); !strings.Contains(said, " has no ") &&
			!strings.Contains(said, "there is no edge") {
			t.Errorf("%s: notes %q", text, said)
		}
	}
	for text, want := range map[string]string{
		`visits("B", layer 3) > 0`:                    `layer 3 has no "B"`,
		`visit("C") and visit("B", layer 3)`:          `layer 3 has no "B"`,
		`start("B")`:                                  `layer 1 has no "B": paths begin at "A"`,
		`edge("A", "H")`:                              `there is no edge from "A" to "H"`,
		`not visits("B", layer 3) = 0 and visit("C")`: `layer 3 has no "B"`,
		`visit("B", layer 3) then visit("C")`:         `layer 3 has no "B"`,
		`visit("B", layer 3) or visit("C", layer 1)`:  `layer 3 has no "B"`,
		`avoid("B", layer 3) and start("B")`:          `layer 1 has no "B": paths begin at "A"`,
	} {
		_, err := must(Parse(text)).Condition(g, totals)
		var at *Error
		if !errors.Is(err, chain.ErrImpossible) || !errors.As(err, &at) || at.Problem != want {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
	}
}

// A name that no vertex has is an error beside a place that a layer lacks, too.
func TestAbsentPlacesAndTypos(t *testing.T) {
	g, totals := world(t)
	for _, text := range []string{
		`not (visit("B", layer 3) then visit("Typo"))`,
		`not (visit("B", layer 3) within 2 of visit("Typo"))`,
		`(visit("B", layer 3) and visit("Typo")) or visit("C")`,
		`not edge("B", "Typo")`,
		`visits({"B", "Typo"}, layer 3) = 0`,
	} {
		if _, err := must(Parse(text)).Condition(g, totals); err == nil || !strings.Contains(err.Error(), `called "Typo"`) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
