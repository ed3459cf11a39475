package ddps

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Clock is the times of a graph's layers.
type Clock struct {
	From int // seconds after midnight of layer 0; below 0 for a layer before the first moment
	Slot int // seconds from layer to layer, at least 1
}

// Clock reads the times that the graph's attributes give: AttrSlot, in seconds or as in 90s, AttrFrom and
// AttrFromLayer. ok is false where AttrSlot is missing, or one of them is none.
func (g *LayeredGraph) Clock() (c Clock, ok bool) {
	attr := g.meta.Attr
	slot, err := strconv.Atoi(attr[AttrSlot])
	if err != nil {
		d, err := time.ParseDuration(attr[AttrSlot])
		if err != nil {
			return c, false
		}
		slot = int(d / time.Second)
	}
	if c.Slot = slot; slot < 1 {
		return c, false
	}
	if from := attr[AttrFrom]; from != "" {
		if c.From, ok = ParseClock(from); !ok {
			return c, false
		}
	}
	if layer := attr[AttrFromLayer]; layer != "" {
		n, err := strconv.Atoi(layer)
		if err != nil {
			return c, false
		}
		c.From -= n * c.Slot
	}
	return c, true
}

// At returns the time of layer l, from 0, in seconds after midnight.
func (c Clock) At(l int) int { return c.From + l*c.Slot }

// ClockText writes seconds after midnight as H:MM, or H:MM:SS where there are any; 24:00 and more is past midnight.
func ClockText(s int) string {
	if s%60 == 0 {
		return fmt.Sprintf("%d:%02d", s/3600, s/60%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// ParseClock reads H:MM or H:MM:SS, up to 999 hours, as seconds.
func ParseClock(s string) (seconds int, ok bool) {
	parts := strings.Split(s, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, false
	}
	for i, p := range append(parts, "0")[:3] {
		n, err := strconv.ParseUint(p, 10, 10)
		if err != nil || n > 999 || i > 0 && (n > 59 || len(p) != 2 && i < len(parts)) {
			return 0, false
		}
		seconds = seconds*60 + int(n)
	}
	return seconds, true
}
