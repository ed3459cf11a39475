package where

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ddps-go/ddps/internal/names"
)

// termWords lists the terms of the language, and the words that join and follow them.
func termWords() []string {
	return []string{"max", "boltzmann", "visit", "visits", "edge", "before", "stay", "start", "end", "returns", "length",
		"regex", "motif", "avoid", "not"}
}

func joinWords() []string {
	return []string{"and", "or", "then", "within", "of", "layer", "in", "at", "place", "vertex", "file"}
}

// stranger says what is wrong with a character that nothing begins with.
func stranger(s string, i int) error {
	rest := s[i:]
	r, size := utf8.DecodeRuneInString(rest)
	problem := fmt.Sprintf("unexpected character %q", rest[:size])
	for _, c := range []struct{ open, close string }{{"“", "”"}, {"„", "“”"}, {"”", "”"}, {"‘", "’"}, {"’", "’"},
		{"«", "»"}, {"‹", "›"}, {"「", "」"}} {
		if strings.HasPrefix(rest, c.open) {
			inside := strings.TrimPrefix(rest, c.open)
			if n := strings.IndexAny(inside, c.close); n >= 0 {
				return &Error{s, i, fmt.Sprintf("names are written in straight quotes: write %q", inside[:n])}
			}
			return &Error{s, i, `names are written in straight quotes: write "A"`}
		}
	}
	switch {
	case r == '&':
		problem += ": write and"
	case r == '|':
		problem += ": write or"
	case strings.HasPrefix(rest, "!="):
		problem += ": unequal is written like not (reward = 3)"
	case r == '!' || r == '~' || r == '¬':
		problem += ": write not"
	case strings.HasPrefix(rest, "->") || r == '→':
		return &Error{s, i, `one after the other is written visit("A") then visit("B")`}
	case r == '[' || r == ']':
		problem += `: any of several places is {"A", "B"}`
	case r == '–' || r == '—' || r == '…':
		problem += ": a range is written 2..4"
	case r == ';':
		problem += ": write and between conditions, and a comma within"
	case r == '/':
		problem += ": a pattern stands in quotes, as in regex('A B* C')"
	case r == ':':
		problem += ": a comma, as in visit(\"A\", layer 2..4)"
	}
	return &Error{s, i, problem}
}

// slip returns what may have been meant by t where something else, want, should be; "" for no idea.
func (p *parser) slip(t token, want string) string {
	switch {
	case t.kind == single:
		return fmt.Sprintf("names are written in double quotes: write %q", t.s)
	case t.kind != word:
		return ""
	case strings.HasPrefix(want, `a "name"`) && slices.Contains(termWords(), t.s):
		return "places stand here alone, as in before(\"A\", \"B\")"
	case strings.HasSuffix(want, "in quotes"):
		return fmt.Sprintf("write %s in double quotes", want)
	case strings.Contains(want, "name"):
		return fmt.Sprintf("names are written in double quotes: write %q", t.s)
	}
	lower := strings.ToLower(t.s)
	if lower != t.s && (slices.Contains(termWords(), lower) || slices.Contains(joinWords(), lower)) {
		return "words are in small letters: write " + lower
	}
	return ""
}

// likeTerm returns the word of a term that s may have been meant for, "" for none.
func likeTerm(s string) string {
	synonyms := map[string]string{"through": "visit", "via": "visit", "visited": "visit", "count": "visits",
		"without": "avoid", "avoids": "avoid", "never": "avoid", "exclude": "avoid", "except": "avoid",
		"starts": "start", "begin": "start", "begins": "start", "ends": "end", "finish": "end", "wait": "stay",
		"dwell": "stay", "regexp": "regex",
		"after": "before", "len": "length", "exp": "boltzmann", "maximum": "max", "maximise": "max", "maximize": "max",
		"sequence": "motif", "return": "returns", "roundtrip": "returns", "loop": "returns", "cycle": "returns",
		"closed": "returns"}
	lower := strings.ToLower(s)
	if t, ok := synonyms[lower]; ok {
		return t
	}
	best, least := "", max(1, len(lower)/3)+1
	for _, t := range termWords() {
		if n := names.Edits(lower, t, least-1); n < least {
			best, least = t, n
		}
	}
	return best
}
