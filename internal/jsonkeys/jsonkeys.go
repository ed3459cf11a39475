// Package jsonkeys finds what encoding/json takes without a word: keys that an object has twice, of which it keeps the
// last, and nulls, of which it makes zeros.
package jsonkeys

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Check returns an error that names the first key that an object of text has twice and its line, from 1, nil if there
// is none; and nothing of a text that is no JSON. Fold says that keys of the outermost object are the same that differ
// by case alone, as for encoding/json, which fills the fields of a structure. O(bytes).
func Check(text []byte, fold bool) error {
	key, at, twice := Repeated(text, fold)
	if !twice {
		return nil
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:at], []byte("\n")), Error(key))
}

// Error is the error of a key that an object has twice.
func Error(key string) error { return fmt.Errorf("an object has the key %q twice", key) }

// Repeated returns the first key that an object of a JSON text has twice, and the byte at which it stands again; see
// Check for fold.
func Repeated(text []byte, fold bool) (key string, at int, twice bool) {
	var open []map[string]bool // the keys of each object that is open, nil for an array
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			open = append(open, map[string]bool{})
		case '[':
			open = append(open, nil)
		case '}', ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case '"':
			end := closing(text, i)
			if len(open) > 0 && open[len(open)-1] != nil && beforeColon(text[end:]) {
				name, keys := decoded(text[i:end]), open[len(open)-1]
				plain := name
				if fold && len(open) == 1 {
					plain = strings.ToLower(strings.ToUpper(name))
				}
				if keys[plain] {
					return name, i, true
				}
				keys[plain] = true
			}
			i = end - 1
		}
	}
	return "", 0, false
}

// Null returns the line, from 1, of the first null within a member of the outermost object or array, of which
// encoding/json makes a zero or an empty string without a word; 0 if there is none. The text is valid JSON.
func Null(text []byte) (line int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			i = closing(text, i) - 1
		case 'n':
			if depth > 1 {
				return 1 + bytes.Count(text[:i], []byte("\n"))
			}
		}
	}
	return 0
}

// closing returns the byte after the string that begins at i.
func closing(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// beforeColon reports whether a colon is next: what stands before it is a key.
func beforeColon(text []byte) bool {
	for _, c := range text {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c == ':'
		}
	}
	return false
}

// decoded returns a string without its quotes.
func decoded(quoted []byte) (s string) {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(bytes.Trim(quoted, `"`))
	}
	if err := json.Unmarshal(quoted, &s); err != nil {
		return string(quoted)
	}
	return s
}
