// Package names compares what vertices, nodes and columns are called: in Unicode's normal form C, by case, by accents,
// and by a few letters that differ.
package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	strip := transform.Chain(
		norm.NFKD,
		runes.Remove(runes.In(unicode.Mn)),
		runes.Remove(runes.Predicate(joins)),
		norm.NFC,
	)
	out, _, err := transform.String(strip, cases.Fold().String(s))
	if err != nil {
		return s
	}
	return out
}

// joins reports whether a character joins the words of a name.
func joins(r rune) bool { return unicode.IsSpace(r) || r == '_' || r == '-' || r == '.' }

// Cased returns a name without its case and what cannot be seen of it: names that Cased takes to one differ by case, by
// characters of no width, or by how wide a space is, alone.
func Cased(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	return cases.Fold().String(norm.NFC.String(strings.Join(strings.Fields(s), " ")))
}

// Near returns the one of known that name was probably to be: one with the same Folded form, or else the first of those
// least edits away (a swap of neighbours is one), of which a quarter of its length are allowed, 2 at most and 1 at
// least of names of three characters or more. "" if there is none.
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
		if d := Edits(folded, other, most); d <= most {
			best, most = k, d-1
		}
	}
	return best
}

// Edits returns how many characters are to be put in, left out or changed, or neighbours swapped, to make second of
// first (optimal string alignment), or any number above most if that is more. O(len(first)·len(second)).
func Edits(first, second string, most int) int {
	if long, short := max(len(first), len(second)), min(len(first), len(second)); long > utf8.UTFMax*(short+most) {
		return most + 1 // without a look at a name of megabytes
	}
	a, b := []rune(first), []rune(second)
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)} // i, i−1, i−2 by turns
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, above, higher := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			if row[j] = above[j-1]; a[i-1] != b[j-1] {
				row[j] = 1 + min(above[j-1], above[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], higher[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}

// Meant is ", did you mean …?" of the near one of known, "" if there is none.
func Meant(name string, known []string) string {
	if near := Near(name, known); near != "" {
		return `, did you mean "` + near + `"?`
	}
	return ""
}
