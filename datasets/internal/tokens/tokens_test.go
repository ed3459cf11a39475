package tokens_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/tokens"
)

func TestArrow(t *testing.T) {
	for in, want := range map[string]string{
		"A -> B;B->C;C": "->", "A-->B": "-->", "A>B>C;B": ">", "A|Bath;Bath": "|", "A ⇒ B": "⇒",
		"A B;A -> B": "", "A ==> B": "", "|A|B|": "", "A->B|C": "", "emma;ann;a>b": "", "ab;a>b": "", "A B": "", "": "",
	} {
		if got, err := tokens.Arrow(strings.Split(in, ";")); got != want || err != nil {
			t.Errorf("%q: %q, %v, expected %q", in, got, err, want)
		}
	}
	if _, err := tokens.Arrow([]string{"New York -> A"}); err == nil {
		t.Error("a name with a blank between arrows is no error")
	}
}

func TestWithin(t *testing.T) {
	for in, want := range map[string]string{"A>B\nC": ">", "A, B\nB": ",", "A B\nA": tokens.Space, "A -> B": "->",
		"A b -> B": "", "A;B,C": "", "A": ""} {
		if got, ok := tokens.Within(strings.Split(in, "\n")); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, expected %q", in, got, ok, want)
		}
	}
}

func TestSplitQuoted(t *testing.T) {
	for in, want := range map[string][]string{
		`"San Francisco" A`: {"San Francisco", "A"}, `A "B"`: {"A", "B"}, `A" "B C"-D ""`: {`A"`, `"B C"-D`, `""`},
		`"a ""b""" """c" """" ""`: {`a "b"`, `"c`, `"`, `""`}, `"a ""b"-D`: {`"a ""b"-D`},
		`" A "`: {`"`, "A", `"`}, "\U000f0000 \"A B\"": {"\U000f0000", `"A`, `B"`},
	} {
		got, err := tokens.SplitQuoted(nil, in, tokens.Space)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, expected %q", in, got, err, want)
		}
	}
	for _, in := range []string{`A "B`, `"A"B C`} {
		if got, err := tokens.SplitQuoted(nil, in, tokens.Space); err == nil {
			t.Errorf("%q: %q", in, got)
		}
	}
}
