package where

import (
	"fmt"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
)

// Window is a range of layers, from 1, or of times of day in seconds, both ends included. The zero Window is all.
type Window struct {
	Lo, Hi int
	Clock  bool
	At     int // where it is
}

func (w Window) any() bool { return !w.Clock && w.Hi == 0 }

func (w Window) String() string {
	switch {
	case w.Clock:
		return ddps.ClockText(w.Lo) + ".." + ddps.ClockText(w.Hi)
	case w.Lo == w.Hi:
		return "layer " + strconv.Itoa(w.Lo)
	}
	return fmt.Sprintf("layer %d..%d", w.Lo, w.Hi)
}

// day is 24 hours, in seconds.
const day = 24 * 60 * 60

// layers returns the layers lo…hi, from 0, that w is.
func (c *compiler) layers(w Window) (lo, hi int, err error) {
	L := c.g.NumLayers()
	if w.any() {
		return 0, L - 1, nil
	}
	if !w.Clock {
		if w.Lo > L {
			return 0, 0, &Error{c.text, w.At, fmt.Sprintf("there is no layer %d, only 1…%d", w.Lo, L)}
		}
		return w.Lo - 1, min(w.Hi, L) - 1, nil
	}
	t, ok := c.g.Clock()
	if !ok {
		return 0, 0, &Error{c.text, w.At, `the graph's layers have no times (attributes slot and from): say layer 2..4`}
	}
	lo, hi = max(0, (w.Lo-t.From+t.Slot-1)/t.Slot), min(L-1, floorDiv(w.Hi-t.From, t.Slot))
	if lo > hi {
		from, _ := strconv.Atoi(c.g.Meta().Attr[ddps.AttrFromLayer])
		first, last := ddps.ClockText(t.At(from)), ddps.ClockText(t.At(L-1))
		text := fmt.Sprintf("no layer is from %s to %s: they are every %d s from %s to %s", ddps.ClockText(w.Lo),
			ddps.ClockText(w.Hi), t.Slot, first, last)
		if w.Lo+day <= t.At(L-1) {
			text += fmt.Sprintf("; past midnight is 24:00 and more: write %s..%s", ddps.ClockText(w.Lo+day),
				ddps.ClockText(w.Hi+day))
		}
		return 0, 0, &Error{c.text, w.At, text}
	}
	return lo, hi, nil
}

// floorDiv is a/b, rounded down.
func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}
