package ddps

import (
	"strings"
	"testing"
)

// TestText: names and attributes are text that every format holds.
func TestText(t *testing.T) {
	g := Example()
	for name, ok := range map[string]bool{"ä λ 🚲": true, "a\n\"b\"\t<c>": true, "\xe4": false, "a\x00": false,
		"a\rb": false, "\x1b[0m": false, "\uffff": false} {
		m := g.Meta()
		m.Names = append([]string(nil), m.Names...)
		m.Names[0] = name
		if _, err := g.WithMeta(m); (err == nil) != ok {
			t.Errorf("name %q: %v", name, err)
		}
		m = g.Meta()
		m.Attr = map[string]string{"place": name}
		if _, err := g.WithMeta(m); (err == nil) != ok {
			t.Errorf("attribute %q: %v", name, err)
		}
	}
	if _, err := ReadGraph(strings.NewReader("{\"format\": \"\xe4\"}")); err == nil || !strings.Contains(err.Error(),
		"not UTF-8") {
		t.Errorf("error %v", err)
	}
}
