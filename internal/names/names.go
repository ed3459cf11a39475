// Package names compares what vertices, nodes and columns are called: in Unicode's normal form C, by case, by accents,
// and by a few letters that differ.
package names

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Normal returns a name in Unicode's normal form C (UAX #15) without space around it: an "ä" of one character, whether
// a file has it as one or as an a with a combining mark.
func Normal(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// Folded returns a name without what people leave out or change: case, accents, and space, hyphens, underscores and
// dots.
func Folded(s string) string {
	strip := transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), runes.Remove(runes.Predicate(joins)), norm.NFC)
	out, _, err := transform.String(strip, cases.Fold().String(s))
	if err != nil {
		return s
	}
	return out
}

// joins reports whether a character joins the words of a name.
func joins(r rune) bool { return unicode.IsSpace(r) || r == '_' || r == '-' || r == '.' }

// Cased returns a name without its case: names that Cased takes to one differ by case alone.
func Cased(s string) string { return cases.Fold().String(norm.NFC.String(s)) }

// Near returns the one of known that name was probably to be: one with the same Folded form, or else the first of those
// least edits away (Levenshtein), of which a quarter of its length are allowed, 2 at most and 1 at least of names of
// three characters or more. "" if there is none.
func Near(name string, known []string) string {
	folded := Folded(name)
	length := len([]rune(folded))
	best, most := "", min(2, max(1, length/4))
	if length < 3 {
		most = 0
	}
	for _, k := range known {
		if k == name || k == "" {
			continue
		}
		other := Folded(k)
		if other == folded {
			return k
		}
		if d := edits([]rune(folded), []rune(other), most); d <= most {
			best, most = k, d-1
		}
	}
	return best
}

// edits returns how many characters are to be put in, left out or changed to make b of a (Levenshtein), or any number
// above most if that is more. O(len(a)·len(b)).
func edits(a, b []rune, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		least := row[0]
		for j, y := range b {
			d := diagonal
			if x != y {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
			least = min(least, d)
		}
		if least > most {
			return least
		}
	}
	return row[len(b)]
}

// Meant is ", did you mean …?" of the near one of known, "" if there is none.
func Meant(name string, known []string) string {
	if near := Near(name, known); near != "" {
		return `, did you mean "` + near + `"?`
	}
	return ""
}
