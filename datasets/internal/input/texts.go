package input

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Texts returns the texts that the objects at the beginning of a file have for a key: an object a line, or an array of
// them.
func Texts(head []byte, key string) (list []string) {
	take := func(text string, _ int) error {
		_, object, err := Object([]byte(text))
		if text, is := object[key].(string); err == nil && is {
			list = append(list, text)
		}
		return nil
	}
	if IsArray(head) {
		_, _ = Elements(bytes.NewReader(head), take) // which may be cut off
		return list
	}
	for line := range strings.Lines(string(head)) {
		_ = take(strings.TrimSpace(line), 0)
	}
	return list
}

// InDoubt is the error of walks that are texts, of which it is not sure what separates the places.
type InDoubt string

func (key InDoubt) Error() string {
	return fmt.Sprintf("key %q: say by --walk and --sep what separates the places of a text, or write a list", string(key))
}

// ValueText is a value as JSON writes it.
func ValueText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
