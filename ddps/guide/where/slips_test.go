package where

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// What newcomers write, and what they are told: where it is wrong, and how it is written.
func TestSlips(t *testing.T) {
	g := patrol(t)
	for _, c := range []struct{ text, caret, want string }{
		{`VISIT("Gate")`, `^`, "words are in small letters: write visit"},
		{`visit("Gate") AND visit("Park")`, `              ^`, "words are in small letters: write and"},
		{`visit("Gate") Or visit("Park")`, `              ^`, "words are in small letters: write or"},
		{`Not visit("Gate")`, `^`, "words are in small letters: write not"},
		{`visit('Gate')`, `      ^`, `names are written in double quotes: write "Gate"`},
		{`visit(Gate)`, `      ^`, `names are written in double quotes: write "Gate"`},
		{`visit(“Gate”)`, `      ^`, `names are written in straight quotes: write "Gate"`},
		{`visit(„Gate“)`, `      ^`, `names are written in straight quotes: write "Gate"`},
		{`visit(‘Gate’)`, `      ^`, `names are written in straight quotes: write "Gate"`},
		{`visit(«Gate»)`, `      ^`, `names are written in straight quotes: write "Gate"`},
		{`visit("Gate", layer 2-4)`, `                     ^`, "a range of layers is written layer 2..4"},
		{`visit("Gate", layer 2–4)`, `                     ^`, `a range is written 2..4`},
		{`visit("Gate", layer 2 to 4)`, `                      ^`, "a range of layers is written layer 2.."},
		{`visit("Gate", layer 2:4)`, `                    ^`,
			"2:4 is not a time H:MM or H:MM:SS; layers are like layer 2..4"},
		{`visit("Gate", layer 4..2)`, `                       ^`, "layer 4..2 is empty"},
		{`visit("Gate", Layer 2)`, `              ^`, "words are in small letters: write layer"},
		{`visit("Gate", 2)`, `              ^`, "write layer 2"},
		{`visit("Gate", "Park")`, `              ^`, `any of several places is {"A", "B"}`},
		{`visit("Gate" or "Park")`, `             ^`, `any of several places is {"A", "B"}`},
		{`visit(["Gate", "Park"])`, `      ^`, `any of several places is {"A", "B"}`},
		{`visit("Gate") and and visit("Park")`, `                  ^`, "expected a condition"},
		{`visit("Gate") && visit("Park")`, `              ^`, "write and"},
		{`visit("Gate") || visit("Park")`, `              ^`, "write or"},
		{`!visit("Gate")`, `^`, "write not"},
		{`visit("Gate") -> visit("Park")`, `              ^`, `visit("A") then visit("B")`},
		{`visit("Gate") → visit("Park")`, `              ^`, `visit("A") then visit("B")`},
		{`visit("Gate") >= 2`, `              ^`, `visits("Gate") >= 2`},
		{`visits("Gate")`, `              ^`, `visits("Gate") >= 2`},
		{`visits("Gate") => 2`, `               ^`, "=> is written >="},
		{`stay("Gate", 3)`, `           ^`, `stay("Gate") >= 3`},
		{`through("Gate")`, `^`, "did you mean visit?"},
		{`vist("Gate")`, `^`, "did you mean visit?"},
		{`length 6-9`, `        ^`, "a range of lengths is written length 6..9"},
		{`ends in "Gate"`, `^`, "did you mean end?"},
		{`visit("gate")`, `      ^`, `did you mean "Gate"?`},
		{`visit("Gate", 8:30..8:10)`, `              ^`, "8:30 is after 8:10"},
		{`visit("Gate", 9:00..9:30)`, `              ^`, "no layer is from 9:00 to 9:30: they are every 300 s from 8:00 " +
			"to 8:25"},
		{`visit("Gate", 8:00)`, `                  ^`, "expected .."},
		{`not boltzmann(1)`, `    ^`, "boltzmann weighs paths"},
		{`visit("Gate") or boltzmann(1)`, `                 ^`, "boltzmann weighs paths"},
		{`regex('Gate (Park')`, `            ^`, "this ( is not closed"},
		{`regex('Gate Prk')`, `            ^`, `did you mean "Park"?`},
		{`regex('Gate {2,1}')`, `            ^`, "a repeat is written like"},
		{`regex('* Gate')`, `       ^`, `"*" has nothing before it`},
		{`regex(Gate)`, `      ^`, "expected a pattern in quotes"},
		{`visit(file("none.txt"))`, `      ^`, "none.txt: file does not exist"},
		{`visit(file("bad.txt"))`, `      ^`, `bad.txt:2: no vertex on any path is called "Prk"; did you mean "Park"?`},
		{`visit("Gate") and layer 2-4`, `                  ^`, `as in visit("A", layer 2..4)`},
		{`visit("Gate", 8:00-8:10)`, `                  ^`, "a window of time is written 8:10..8:30"},
		{`visit("Gate", "8:00".."8:10")`, `              ^`, "times have no quotes"},
		{`visit "Gate"`, `      ^`, "a name stands in brackets"},
		{`visit("Gate") visit("Park")`, `              ^`, "join two conditions by and"},
		{`visit("Gate") but not visit("Park")`, `              ^`, "write and"},
		{`visit("Gate") before visit("Park")`, `              ^`, `write before("A", "B")`},
		{`visit("Gate") followed by visit("Park")`, `              ^`, `visit("A") then visit("B")`},
		{`before(visit("Gate"), visit("Park"))`, `       ^`, "places stand here alone"},
		{`start = "Gate"`, `      ^`, `write start("A")`},
		{`end "Gate"`, `    ^`, `end("A")`},
		{`returns("Gate")`, `       ^`, "returns stands alone"}, {`roundtrip`, `^`, "did you mean returns?"},
		{`length between 2 and 4`, `       ^`, "length 6..9"},
		{`length = 2..4`, `          ^`, "a range of lengths"},
		{`stay("Gate") >= 10 minutes`, `                   ^`, `stay("A") >= 0:10`},
		{`visit({"Gate" "Park"})`, `              ^`, "a comma is missing"},
		{`visit("Gate, Park")`, `      ^`, `several places are {"Gate", "Park"}`},
		{`visit(("Gate", "Park"))`, `      ^`, `any of several places is {"A", "B"}`},
		{`never("Gate")`, `^`, "did you mean avoid?"},
		{`max(rewards)`, `    ^`, "did you mean reward?"},
		{`regex(/Gate/)`, `      ^`, "a pattern stands in quotes"},
		{`"Gate"`, `^`, `write visit("Gate")`},
		{strings.Repeat("(", 300) + `visit("Gate")`, strings.Repeat(" ", 200) + "^", "more than 200 brackets"},
	} {
		x, err := Parse(c.text)
		if err == nil {
			_, err = x.Compile(g, Env{Totals: map[string][]float64{"reward": make([]float64, g.NumEdges())},
				ReadFile: func(name string) ([]byte, error) {
					if name == "bad.txt" {
						return []byte("Gate\nPrk\n"), nil
					}
					return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
				}})
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
}

// Other names stand for one or several vertices' names; a name of the graph's own comes first.
func TestAliases(t *testing.T) {
	g := patrol(t)
	env := Env{Alias: map[string][]string{"Green": {"Park"}, "Water": {"Dock 4", "Park"}, "Gate": {"Park"}}}
	for text, same := range map[string]string{
		`visit("Green")`: `visit("Park")`, `avoid("Water")`: `avoid({"Park", "Dock 4"})`,
		`regex('.* Green .*')`: `regex('.* Park .*')`, `visit("Gate")`: `visit({"Gate"})`,
	} {
		x, err := must(Parse(text)).Compile(g, env)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		y, err := must(Parse(same)).Condition(g, nil)
		if err != nil || !slices.Equal(x.Product().Product.Edge, y.Product().Product.Edge) {
			t.Errorf("%s is not %s: %v", text, same, err)
		}
	}
	if _, err := must(Parse(`visit("Grean")`)).Compile(g, env); err == nil || !strings.Contains(err.Error(),
		`did you mean "Green"?`) {
		t.Error(err)
	}
}

// Times of day are those of the layers in the window, both ends included; stays in minutes are n − 1 slots long.
func TestTimes(t *testing.T) {
	g := patrol(t) // 8:00, 8:05, … 8:25
	count := func(text string) int64 {
		c, err := must(Parse(text)).Condition(g, nil)
		if err != nil {
			t.Fatal(text, err)
		}
		return guide.Count(g, c).Int64()
	}
	for text, same := range map[string]string{
		`visit("Gate", 8:05..8:15)`:      `visit("Gate", layer 2..4)`,
		`visit("Gate", 8:01..8:19)`:      `visit("Gate", layer 2..4)`,
		`avoid("Gate", 0:00..8:05)`:      `avoid("Gate", layer 1..2)`,
		`stay("Gate") >= 0:10`:           `stay("Gate") >= 3`,
		`stay("Gate") >= 0:11`:           `stay("Gate") >= 4`,
		`stay("Gate") <= 0:11`:           `stay("Gate") <= 3`,
		`stay("Gate") = 0:05`:            `stay("Gate") = 2`,
		`stay("Gate") < 0:05`:            `stay("Gate") < 2`,
		`stay("Gate") > 0:05`:            `stay("Gate") > 2`,
		`visits("Gate", 8:20..9:00) = 2`: `visits("Gate", layer 5..6) = 2`,
	} {
		if x, y := count(text), count(same); x != y || x == 0 {
			t.Errorf("%s: %d paths, %s: %d", text, x, same, y)
		}
	}
	slotted, err := g.WithMeta(ddps.Meta{Names: g.Meta().Names, Attr: map[string]string{"slot": "60s"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := slotted.Clock(); !ok || c != (ddps.Clock{Slot: 60}) {
		t.Errorf("slots of a minute: %v, %v", c, ok)
	}
	for _, attr := range []map[string]string{nil, {"slot": "0"}, {"slot": "x"}, {"slot": "60", "from": "8.00"}} {
		h, err := g.WithMeta(ddps.Meta{Names: g.Meta().Names, Attr: attr})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{`visit("Gate", 8:00..8:10)`, `stay("Gate") >= 0:10`} {
			if _, err := must(Parse(text)).Condition(h, nil); err == nil || !strings.Contains(err.Error(),
				"layers have no times") {
				t.Errorf("%v: %s: %v", attr, text, err)
			}
		}
	}
}

// TestTimesPastMidnight: the first time told is that of the first places, not of a source; a window of the day after is
// told how it is written, and no other.
func TestTimesPastMidnight(t *testing.T) {
	g := patrol(t)
	g, err := g.WithMeta(ddps.Meta{Names: g.Meta().Names, Attr: map[string]string{"slot": "900", "from": "23:15",
		"from_layer": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	const layers = "they are every 900 s from 23:15 to 24:15"
	for text, want := range map[string]string{
		`visit("Gate", 0:05..1:00)`:   layers + "; past midnight is 24:00 and more: write 24:05..25:00",
		`visit("Gate", 0:20..1:00)`:   layers,
		`visit("Gate", 25:00..26:00)`: layers,
	} {
		if _, err := must(Parse(text)).Condition(g, nil); err == nil || !strings.HasSuffix(strings.Split(err.Error(),
			"\n")[0], want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
