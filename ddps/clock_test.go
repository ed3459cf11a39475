package ddps

import "testing"

// Times of layers from attributes, and what is none.
func TestClock(t *testing.T) {
	g := Example()
	for _, c := range []struct {
		attr  map[string]string
		layer int
		want  string // "" where there is no clock
	}{
		{map[string]string{AttrSlot: "300", AttrFrom: "8:00"}, 3, "8:15"},
		{map[string]string{AttrSlot: "90s", AttrFrom: "23:59:30"}, 2, "24:02:30"},
		{map[string]string{AttrSlot: "60", AttrFrom: "8:00", AttrFromLayer: "1"}, 1, "8:00"},
		{map[string]string{AttrSlot: "60"}, 2, "0:02"},
		{map[string]string{AttrFrom: "8:00"}, 0, ""},
		{map[string]string{AttrSlot: "0"}, 0, ""},
		{map[string]string{AttrSlot: "60", AttrFrom: "8"}, 0, ""},
		{map[string]string{AttrSlot: "60", AttrFromLayer: "x"}, 0, ""},
	} {
		m := g.Meta()
		m.Attr = c.attr
		h, err := g.WithMeta(m)
		if err != nil {
			t.Fatal(err)
		}
		clock, ok := h.Clock()
		if got := ClockText(clock.At(c.layer)); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%v: %s, %v", c.attr, got, ok)
		}
	}
}
