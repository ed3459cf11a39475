package jsonkeys

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRepeated(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                              "",
		`[{"a":1},{"a":2}]`:               "",
		`{"a":{"a":{"a":["a","a"]}}}`:     "",
		`{"a":1,"b":"a","c":"a:"}`:        "",
		`{"a":1,"A":2}`:                   "",
		`{"\"a":1,"a":2,"a\\":3}`:         "",
		`{"a":1,"a":1}`:                   "a",
		`{"a":1,"\u0061" : 2}`:            "a",
		`{"ä":1,"\u00e4":2}`:              "ä",
		`[1,{"x":[{"b":1,"c":2,"b":3}]}]`: "b",
		`{"":1,"":2}`:                     "",
		`{"a":{"b":1},"c":[],"a":0}`:      "a",
		`{"k\"k":1,"x":"}","k\"k":2}`:     `k"k`,
		`{"x":{"A":1,"a":2}}`:             "",
	} {
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is no JSON", text)
		}
		key, line := Repeated([]byte(text), false)
		if key != want || line > 0 != (want != "" || text == `{"":1,"":2}`) {
			t.Errorf("%s: %q, line %d", text, key, line)
		}
	}
	if key, line := Repeated([]byte(`{"a":{"b":1,"B":2},"A":2}`), true); key != "A" || line != 1 {
		t.Errorf("%q, line %d: keys that differ by case", key, line)
	}
	err := Check([]byte("{\"a\":\n1,\n\"a\": 2}"), false)
	if err == nil || err.Error() != `line 3: an object has the key "a" twice` {
		t.Error(err)
	}
}

func TestNull(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":null}`: 0, `{"null":["null"],"b":[true,{}]}`: 0, "{\"a\":[[1],\n[null]]}": 2, `[{"a":null}]`: 1, `null`: 0,
		`{"a":["\"",null]}`: 1, `{"a":[1]} `: 0,
	} {
		if line := Null([]byte(text)); line != want {
			t.Errorf("%s: line %d, want %d", text, line, want)
		}
	}
}

// FuzzRepeated: a repeated key makes a decoded object of fewer entries than the text has keys, and no other does.
func FuzzRepeated(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `{"a":[{"b":"\""}],"c":{}}`, `[{"a":{"a":1}}]`, `{"a`, `{"\`,
		"{\"\xd2\":0,\"\xad\":0}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, line := Repeated([]byte(text), false)
		twice := line > 0
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &object) != nil || object == nil {
			return
		}
		all, flat := 0, true
		d := json.NewDecoder(strings.NewReader(text))
		d.Token()
		for d.More() {
			d.Token()
			var value any
			d.Decode(&value)
			switch value.(type) {
			case []any, map[string]any:
				flat = false
			}
			all++
		}
		if missing := all != len(object); missing && !twice || flat && twice && !missing {
			t.Errorf("%q: %d keys, %d entries, repeated %v", text, all, len(object), twice)
		}
	})
}
