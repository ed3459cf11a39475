package where

import (
	"fmt"
	"strconv"
	"strings"
	"time"

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
		return clockString(w.Lo) + ".." + clockString(w.Hi)
	case w.Lo == w.Hi:
		return "layer " + strconv.Itoa(w.Lo)
	}
	return fmt.Sprintf("layer %d..%d", w.Lo, w.Hi)
}

// clockString writes seconds as H:MM, or H:MM:SS where there are any.
func clockString(s int) string {
	if s%60 == 0 {
		return fmt.Sprintf("%d:%02d", s/3600, s/60%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// clock is the times of a graph's layers: that of layer l, from 0, is from + l·slot seconds.
type clock struct{ from, slot int }

// clockOf reads the times that a graph's attributes tell: slot, in seconds or as in 90s, and from, H:MM or H:MM:SS,
// 0:00 where there is none, the time of layer from_layer. ok is false where there is no slot.
func clockOf(g *ddps.LayeredGraph) (c clock, ok bool) {
	attr := g.Meta().Attr
	slot, err := strconv.Atoi(attr["slot"])
	if err != nil {
		d, err := time.ParseDuration(attr["slot"])
		if err != nil {
			return c, false
		}
		slot = int(d / time.Second)
	}
	if c.slot = slot; slot < 1 {
		return c, false
	}
	if from := attr["from"]; from != "" {
		if c.from, ok = parseClock(from); !ok {
			return c, false
		}
	}
	if layer := attr[ddps.AttrFromLayer]; layer != "" {
		n, err := strconv.Atoi(layer)
		if err != nil {
			return c, false
		}
		c.from -= n * c.slot
	}
	return c, true
}

// parseClock reads H:MM or H:MM:SS as seconds.
func parseClock(s string) (int, bool) {
	parts := strings.Split(s, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, false
	}
	at := 0
	for i, p := range append(parts, "0")[:3] {
		n, err := strconv.ParseUint(p, 10, 10)
		if err != nil || n > 999 || i > 0 && (n > 59 || len(p) != 2 && i < len(parts)) {
			return 0, false
		}
		at = at*60 + int(n)
	}
	return at, true
}

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
	t, ok := clockOf(c.g)
	if !ok {
		return 0, 0, &Error{c.text, w.At, `the graph's layers have no times (attributes slot and from): say layer 2..4`}
	}
	lo, hi = max(0, (w.Lo-t.from+t.slot-1)/t.slot), min(L-1, floorDiv(w.Hi-t.from, t.slot))
	if lo > hi {
		first, last := clockString(max(0, t.from)), clockString(t.from+t.slot*(L-1))
		return 0, 0, &Error{c.text, w.At, fmt.Sprintf("no layer is from %s to %s: they are every %d s from %s to %s",
			clockString(w.Lo), clockString(w.Hi), t.slot, first, last)}
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
