package tokens

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// arrows are what may separate the tokens of a text, besides blanks, commas and semicolons: the longer ones first.
var arrows = []string{"-->", "->", "=>", "→", "⇒", "|", ">"}

// withCommas are those and commas and semicolons, of cells.
var withCommas = append(slices.Clone(arrows), ";", ",")

// count adds those of the separators that a text has to found.
func count(found []string, text string, separators ...string) []string {
	for _, s := range separators {
		if strings.Contains(text, s) {
			text = strings.ReplaceAll(text, s, "")
			if !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	return found
}

// dashes are what may separate tokens where it stands between blanks, or be the name of a place.
var dashes = []string{"-", "–", "—", "/"}

// Dash returns the dash or slash that stands between blanks within each line of several tokens, "" where none does.
func Dash(lines []string) string {
	for _, dash := range dashes {
		n, all := 0, true
		for _, line := range lines {
			if list := strings.Fields(line); len(list) > 1 {
				last := len(list) - 1
				n, all = n+1, all && list[0] != dash && list[last] != dash && slices.Contains(list[1:last], dash)
			}
		}
		if n > 0 && all {
			return dash
		}
	}
	return ""
}

// Within returns what separates the tokens of the cells of a column, each of which is a walk; ok is false where that is
// in doubt.
func Within(cells []string) (sep string, ok bool) {
	var found []string
	for _, cell := range cells {
		found = count(found, cell, withCommas...)
	}
	blank := func(text string) bool { return strings.Contains(strings.TrimSpace(text), " ") }
	switch blanks := slices.ContainsFunc(cells, blank); {
	case len(found) == 0 && blanks:
		return Space, Dash(cells) == ""
	case len(found) != 1:
		return "", false
	}
	for _, cell := range cells {
		if slices.ContainsFunc(Split(nil, cell, found[0]), blank) {
			return "", false
		}
	}
	return found[0], true
}

// Arrow returns the one arrow, bar or > that separates the tokens of lines; "" if none does. At least every other line
// has it. A line without it is one token: it has no blank and, where no token elsewhere has two letters, one letter.
// The error is of arrows between tokens that have blanks.
func Arrow(lines []string) (sep string, err error) {
	var found []string
	for _, line := range lines {
		found = count(found, line, arrows...)
	}
	if len(found) != 1 {
		return "", nil
	}
	sep = found[0]
	sure := sep != "|" && sep != ">" // arrows are hardly names
	with, blanks, long, longAlone := 0, "", false, false
	for _, line := range lines {
		cells := Split(nil, line, sep)
		if len(cells) > 1 {
			with++
		}
		for _, cell := range cells {
			switch more := utf8.RuneCountInString(cell) > 1; {
			case strings.ContainsAny(cell, " \t") && (len(cells) == 1 || !sure), cell == "" && !sure,
				strings.Trim(cell, "-=<>|") != cell:
				return "", nil
			case strings.ContainsAny(cell, " \t") && blanks == "":
				blanks = cell
			case len(cells) == 1:
				longAlone = longAlone || more
			default:
				long = long || more
			}
		}
	}
	switch {
	case 2*with < len(lines), longAlone && !long:
		return "", nil
	case blanks != "":
		return "", fmt.Errorf("the lines have %s and blanks, as in %q: say --sep '%s', or --sep space if %s is a name", sep,
			blanks, sep, sep)
	}
	return sep, nil
}
