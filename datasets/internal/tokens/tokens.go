// Package tokens splits texts into the names of places, and finds what separates them.
package tokens

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What separates tokens, besides strings.
const (
	Space   = "space"   // any number of blanks
	Letters = "letters" // nothing: each character is a token
)

// words are the words for separators.
var words = map[string]string{
	"space":     Space,
	"letters":   Letters,
	"tab":       "\t",
	"comma":     ",",
	"semicolon": ";",
	"blank":     Space,
	" ":         Space,
}

// Separator returns the separator that a word means, or else the word itself.
func Separator(word string) string {
	if s, ok := words[word]; ok {
		return s
	}
	return word
}

// Said says what separates tokens.
func Said(sep string) string {
	switch sep {
	case Space:
		return "tokens separated by blanks"
	case Letters:
		return "a letter a token (--sep says otherwise)"
	case "\t":
		return "tokens separated by tabs"
	}
	return fmt.Sprintf("tokens separated by %q", sep)
}

// Split appends the tokens of a text.
func Split(cells []string, text, sep string) []string {
	switch sep {
	case Letters:
		for len(text) > 0 {
			_, n := utf8.DecodeRuneInString(text)
			for n < len(text) { // a letter keeps its combining marks
				r, k := utf8.DecodeRuneInString(text[n:])
				if !unicode.Is(unicode.Mn, r) {
					break
				}
				n += k
			}
			if c := strings.TrimSpace(text[:n]); c != "" {
				cells = append(cells, c)
			}
			text = text[n:]
		}
		return cells
	case Space:
		for {
			text = strings.TrimLeft(text, " \t")
			if text == "" {
				return cells
			}
			n := strings.IndexAny(text, " \t")
			if n < 0 {
				return append(cells, text)
			}
			cells, text = append(cells, text[:n]), text[n:]
		}
	}
	for {
		a, b, found := strings.Cut(text, sep)
		if cells = append(cells, strings.TrimSpace(a)); !found {
			return cells
		}
		text = b
	}
}
