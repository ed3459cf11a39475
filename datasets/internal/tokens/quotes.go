package tokens

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Masks of texts in quotes: a character of a plane for private use each.
const (
	firstMask = 0xf0000
	lastMask  = 0xffffd
)

// Mask puts one character each for the texts in quotes of a line, which it returns: a quote before anything but a
// blank or one quote opens one where a token begins, and the next quote ends it, where the token ends; two quotes in it
// stand for one. Other quotes are parts of names. The error is of a quote that opens a text without an end.
func Mask(line string) (masked string, quoted []string, err error) {
	if strings.IndexByte(line, '"') < 0 || strings.ContainsFunc(line, isMask) {
		return line, nil, nil
	}
	var b strings.Builder
	for at := 0; at < len(line); {
		rest := line[at:]
		r, n := utf8.DecodeRuneInString(rest)
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		if r != '"' || at > 0 && !edge(before) || len(rest) == 1 || strings.ContainsRune(" \t", rune(rest[1])) ||
			rest[1] == '"' && !strings.HasPrefix(rest[2:], `"`) {
			b.WriteString(rest[:n])
			at += n
			continue
		}
		end := closing(rest)
		after, _ := utf8.DecodeRuneInString(rest[end+1:])
		if end == 0 || len(quoted) > lastMask-firstMask || end+1 < len(rest) && !edge(after) {
			return line, nil, fmt.Errorf("a quote without an end: %s", rest)
		}
		b.WriteRune(rune(firstMask + len(quoted)))
		quoted = append(quoted, strings.ReplaceAll(rest[1:end], `""`, `"`))
		at += end + 1
	}
	return b.String(), quoted, nil
}

// closing returns where the quote is that ends the one a text begins with, behind pairs of quotes; 0 for none.
func closing(text string) int {
	for at := 1; ; at += 2 {
		k := strings.IndexByte(text[at:], '"')
		if k < 0 {
			return 0
		}
		if at += k; !strings.HasPrefix(text[at+1:], `"`) {
			return at
		}
	}
}

// Quote returns a name as it stands in a line between separators that are found (Mask): in quotes where it has what
// may be one, or a quote that opens, or always. A line cannot hold ends of lines and what Mask puts for quotes.
func Quote(name string, always bool) (string, error) {
	if strings.ContainsAny(name, "\n\r") || strings.ContainsFunc(name, isMask) {
		return "", fmt.Errorf("%q cannot stand in a line", name)
	}
	masked, _, err := Mask(name + ",")
	if !always && err == nil && masked == name+"," && !strings.ContainsAny(name, " \t,;>→⇒|") &&
		!slices.Contains(dashes, name) &&
		!strings.ContainsRune("\"#\ufeff", firstOf(name)) {
		return name, nil
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`, nil
}

func firstOf(name string) rune { r, _ := utf8.DecodeRuneInString(name); return r }

// edge reports whether a character separates tokens.
func edge(r rune) bool { return strings.ContainsRune(" \t,;->=→⇒|", r) }

func isMask(r rune) bool { return r >= firstMask && r <= lastMask }

// Unmask puts the texts in quotes back into cells, without the quotes where a cell is no more than one.
func Unmask(cells, quoted []string) {
	for k, cell := range cells {
		if len(quoted) == 0 || !strings.ContainsFunc(cell, isMask) {
			continue
		}
		if r, n := utf8.DecodeRuneInString(cell); n == len(cell) {
			cells[k] = quoted[r-firstMask]
			continue
		}
		var b strings.Builder
		for _, r := range cell {
			if isMask(r) {
				b.WriteString(`"` + strings.ReplaceAll(quoted[r-firstMask], `"`, `""`) + `"`)
			} else {
				b.WriteRune(r)
			}
		}
		cells[k] = b.String()
	}
}

// Masks puts characters for the texts in quotes of lines; found reports whether there is one. Lines with a quote that
// has no end stay as they are.
func Masks(lines []string) (masked []string, found bool) {
	for _, line := range lines {
		line, quoted, _ := Mask(line)
		masked, found = append(masked, line), found || len(quoted) > 0
	}
	return masked, found
}

// SplitQuoted is Split for a text in which names may be in quotes, as Mask has them.
func SplitQuoted(cells []string, text, sep string) ([]string, error) {
	masked, quoted, err := Mask(text)
	if err != nil {
		return cells, err
	}
	cells = Split(cells, masked, sep)
	Unmask(cells, quoted)
	return cells, nil
}
