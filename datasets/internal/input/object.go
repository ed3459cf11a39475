package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/internal/jsonkeys"
	"github.com/ddps-go/ddps/internal/names"
)

// Twice is the error of a key that stands in an object twice: which of the values is meant cannot be known.
type Twice string

func (key Twice) Error() string { return jsonkeys.Error(string(key)).Error() }

// Object reads a JSON object that is all of a text: its keys in their order, and the values, numbers as json.Number.
// The error is a Twice of a key that an object of the text has twice.
func Object(text []byte) (keys []string, object map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, errors.New("no JSON object")
	}
	object = map[string]any{}
	cut := func(err error) error {
		if Cut(err) {
			return errors.New("the JSON object ends too early")
		}
		return err
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, nil, cut(err)
		}
		key, _ := token.(string)
		if _, twice := object[key]; twice {
			return nil, nil, Twice(key)
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return nil, nil, cut(fmt.Errorf("the value of %q: %w", key, err))
		}
		keys, object[key] = append(keys, key), value
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, cut(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("more than one JSON value in the line")
	}
	return keys, object, twice(text[bytes.IndexByte(text, '{')+1:], text)
}

// List reads a JSON array that is all of a text, as Object reads an object.
func List(text []byte) (list []any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value in the line")
	}
	return list, twice(text, text)
}

// twice returns the Twice of a key that an object of a text has twice, nil if there is none; without an object in some
// part of the text it does not look.
func twice(part, text []byte) error {
	if bytes.IndexByte(part, '{') < 0 {
		return nil
	}
	if key, line := jsonkeys.Repeated(text, false); line > 0 {
		return Twice(key)
	}
	return nil
}

// Keys finds the keys of objects by what they are called, as headers of tables are read (names.Folded). The zero value
// is ready.
type Keys struct{ folded map[string]string }

// Find returns the key of the first of words that fits, "" if there is none. The error is a Twice of a key that stands
// twice in another case or form.
func (k *Keys) Find(keys, words []string, fits func(key string) bool) (found string, err error) {
	for _, word := range words {
		for _, key := range keys {
			if k.plain(key) != word || !fits(key) {
				continue
			}
			if found != "" {
				return "", Twice(key)
			}
			found = key
		}
		if found != "" {
			return found, nil
		}
	}
	return "", nil
}

// plain is names.Folded, which it works out once for a key.
func (k *Keys) plain(key string) string {
	plain, ok := k.folded[key]
	if !ok {
		if plain = names.Folded(key); k.folded == nil || len(k.folded) > 1<<10 {
			k.folded = map[string]string{}
		}
		k.folded[key] = plain
	}
	return plain
}

// WalkWords are what objects and tables call a walk, without case and what joins words.
func WalkWords() []string {
	return []string{"path", "walk", "sequence", "tokens", "places", "trajectory", "trace", "route"}
}
