// Package jsonkeys finds what encoding/json takes without a word: keys that an object has twice, of which it keeps the
// last, and nulls, of which it makes zeros.
package jsonkeys

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Check returns an error that names the first key that an object of text has twice and its line, from 1, nil if there
// is none; and nothing of what follows a fault in a text that is no JSON. Fold says that keys of the outermost object
// are the same that differ by case alone, as for encoding/json, which fills the fields of a structure. O(bytes).
func Check(text []byte, fold bool) error {
	key, line := Repeated(text, fold)
	if line == 0 {
		return nil
	}
	return fmt.Errorf("line %d: %w", line, Error(key))
}

// Error is the error of a key that an object has twice.
func Error(key string) error { return fmt.Errorf("an object has the key %q twice", key) }

// Repeated returns the first key that an object of a JSON text has twice, and the line, from 1, where it stands again;
// 0 if there is none. See Check for fold.
func Repeated(text []byte, fold bool) (key string, line int) {
	var open []map[string]bool // the keys of each object that is open, nil of an array
	line = walk(text, func(token json.Token, isKey bool) bool {
		switch token {
		case json.Delim('{'):
			open = append(open, map[string]bool{})
		case json.Delim('['):
			open = append(open, nil)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if !isKey {
			return false
		}
		key = token.(string)
		plain, keys := key, open[len(open)-1]
		if fold && len(open) == 1 {
			plain = strings.ToLower(strings.ToUpper(key))
		}
		twice := keys[plain]
		keys[plain] = true
		return twice
	})
	if line == 0 {
		key = ""
	}
	return key, line
}

// Null returns the line, from 1, of the first null within a member of the outermost object or array, of which
// encoding/json makes a zero or an empty string without a word; 0 if there is none.
func Null(text []byte) (line int) {
	depth := 0
	return walk(text, func(token json.Token, _ bool) bool {
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		return token == nil && depth > 1
	})
}

// walk calls found with each token of the first JSON value of a text until it returns true, and returns the line, from
// 1, where that token ends; 0 where it never does, or where the text is no JSON before.
func walk(text []byte, found func(token json.Token, isKey bool) bool) (line int) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var objects []bool // whether what is open is an object
	key := false       // whether a key is next, where a value ends the object
	for {
		token, err := d.Token()
		if err != nil {
			return 0
		}
		_, isString := token.(string)
		isKey := key && isString
		if found(token, isKey) {
			return 1 + bytes.Count(text[:d.InputOffset()], []byte("\n"))
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			objects = append(objects, token == json.Delim('{'))
		case json.Delim('}'), json.Delim(']'):
			objects = objects[:len(objects)-1]
		}
		if len(objects) == 0 {
			return 0
		}
		key = objects[len(objects)-1] && !isKey
	}
}
