package where

import (
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

func (t Max) String() string { return "max(" + t.Total.Name + ")" }

func (t Boltzmann) String() string {
	if t.Total.Name == "reward" {
		return fmt.Sprintf("boltzmann(%v)", t.Beta)
	}
	return fmt.Sprintf("boltzmann(%v, %s)", t.Beta, t.Total.Name)
}

func (t Compare) String() string {
	out := fmt.Sprintf("%s %s %v", t.Total.Name, t.Op, t.Value)
	if t.Percent {
		out += " %"
	}
	return out
}

func (t Stops) String() string {
	words := make([]string, len(t))
	for i, s := range t {
		words[i] = s.String()
	}
	return strings.Join(words, " then ")
}

func (s Stop) String() string {
	if s.Edge != nil {
		return "edge(" + s.inside() + ")"
	}
	return "visit(" + s.inside() + ")"
}

// inside is what is in the brackets.
func (s Stop) inside() string {
	out := ""
	if s.Edge != nil {
		out = s.Edge[0].String() + ", " + s.Edge[1].String()
	} else {
		out = placesString(s.Places, len(s.Places) > 1)
	}
	if !s.Window.any() {
		out += ", " + s.Window.String()
	}
	return out
}

func (t Visits) String() string {
	inside := t.Stop.inside()
	if t.Stop.Edge != nil {
		inside = t.Stop.String()
	}
	return fmt.Sprintf("visits(%s) %s %d", inside, t.Op, t.Count)
}

func (t Before) String() string {
	return fmt.Sprintf("before(%s, %s)", placesString(t.A, len(t.A) > 1), placesString(t.B, len(t.B) > 1))
}

func (t Near) String() string { return fmt.Sprintf("%v within %d of %v", t.A, t.K, t.B) }

func (t Stay) String() string {
	n := fmt.Sprint(t.Count)
	if t.Clock {
		n = ddps.ClockText(t.Count)
	}
	return fmt.Sprintf("stay(%s) %s %s", placesString(t.Places, len(t.Places) > 1), t.Op, n)
}

func (t Avoid) String() string {
	if t.Motif != nil {
		return "avoid(" + t.Motif.String() + ")"
	}
	if t.Stop.Edge != nil {
		return "avoid(" + t.Stop.String() + ")"
	}
	return "avoid(" + t.Stop.inside() + ")"
}

func (t Start) String() string { return "start in " + placesString(t.Places, true) }

func (t End) String() string { return "end in " + placesString(t.Places, true) }

func (Returns) String() string { return "returns" }

func (t Length) String() string {
	if t.Hi == maxLength {
		return fmt.Sprintf("length >= %d", t.Lo)
	}
	return fmt.Sprintf("length %d..%d", t.Lo, t.Hi)
}

func placesString(places []Place, braces bool) string {
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = p.String()
	}
	if braces {
		return "{" + strings.Join(words, ", ") + "}"
	}
	return strings.Join(words, ", ")
}
