package kernelext

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Control is an input that a page shows: a Slider, Select, Checkbox, Button or Text.
type Control interface {
	// first returns its state before anyone touches it.
	first() string
	// check returns what the page sent, or the nearest state that the control has.
	check(text string) string
	// html returns its element. Its data-ddps attribute holds what the page sends it as.
	html(n int, state string) string
	// spec describes it for the widgets of pages that have them.
	spec() ControlSpec
	label() string
}

// ControlSpec describes a control for a page.
type ControlSpec struct {
	Kind    string   `json:"kind"` // slider, select, checkbox, button or text
	Name    string   `json:"name"`
	Min     float64  `json:"min"` // of a slider
	Max     float64  `json:"max"`
	Step    float64  `json:"step"`
	Options []string `json:"options"` // of a select
	State   string   `json:"state"`
	Send    string   `json:"send"` // what its listener calls it
}

// Slider chooses a number in Min…Max by steps of Step (0: a hundredth of the range).
type Slider struct {
	Name                  string
	Min, Max, Step, Value float64
}

// Select chooses one of Options; Value is the number of the first state, from 0.
type Select struct {
	Name    string
	Options []string
	Value   int
}

// Checkbox is on or off.
type Checkbox struct {
	Name  string
	Value bool
}

// Button counts how often it was pressed.
type Button struct{ Name string }

// Text is a line of text, which f sees as it is typed.
type Text struct{ Name, Value string }

func (s Slider) label() string   { return s.Name }
func (s Select) label() string   { return s.Name }
func (c Checkbox) label() string { return c.Name }
func (b Button) label() string   { return b.Name }
func (t Text) label() string     { return t.Name }

func (s Slider) spec() ControlSpec {
	return ControlSpec{Kind: "slider", Name: s.Name, Min: s.Min, Max: s.Max, Step: s.step()}
}
func (s Select) spec() ControlSpec {
	return ControlSpec{Kind: "select", Name: s.Name, Options: s.Options}
}
func (c Checkbox) spec() ControlSpec { return ControlSpec{Kind: "checkbox", Name: c.Name} }
func (b Button) spec() ControlSpec   { return ControlSpec{Kind: "button", Name: b.Name} }
func (t Text) spec() ControlSpec     { return ControlSpec{Kind: "text", Name: t.Name} }

func (s Slider) step() float64 {
	if s.Step <= 0 {
		return (s.Max - s.Min) / 100
	}
	return s.Step
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func (s Slider) first() string { return s.check(number(s.Value)) }

func (s Slider) check(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x {
		x = s.Value
	}
	return number(max(s.Min, min(x, s.Max)))
}

func (s Slider) html(n int, state string) string {
	return fmt.Sprintf(`<label>%s <input type="range" data-ddps="%d" min="%s" max="%s" step="%s" value="%s" style="width: 16em; vertical-align: middle"> <output style="display: inline-block; min-width: 3.5em">%s</output></label>`,
		html.EscapeString(s.Name), n, number(s.Min), number(s.Max), number(s.step()), state, state)
}

func (s Select) first() string { return s.check(strconv.Itoa(s.Value)) }

func (s Select) check(text string) string {
	i, err := strconv.Atoi(text)
	if err != nil {
		i = s.Value
	}
	return strconv.Itoa(max(0, min(i, len(s.Options)-1)))
}

func (s Select) html(n int, state string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<label>%s <select data-ddps="%d">`, html.EscapeString(s.Name), n)
	for i, o := range s.Options {
		selected := ""
		if strconv.Itoa(i) == state {
			selected = " selected"
		}
		fmt.Fprintf(&b, `<option value="%d"%s>%s</option>`, i, selected, html.EscapeString(o))
	}
	return b.String() + "</select></label>"
}

func (c Checkbox) first() string { return strconv.FormatBool(c.Value) }

func (c Checkbox) check(text string) string { return strconv.FormatBool(text == "true") }

func (c Checkbox) html(n int, state string) string {
	checked := ""
	if state == "true" {
		checked = " checked"
	}
	return fmt.Sprintf(`<label><input type="checkbox" data-ddps="%d"%s> %s</label>`, n, checked, html.EscapeString(c.Name))
}

func (b Button) first() string { return "0" }

func (b Button) check(text string) string {
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 {
		i = 0
	}
	return strconv.Itoa(i)
}

func (b Button) html(n int, _ string) string {
	return fmt.Sprintf(`<button type="button" data-ddps="%d">%s</button>`, n, html.EscapeString(b.Name))
}

func (t Text) first() string { return t.Value }

func (t Text) check(text string) string { return text }

func (t Text) html(n int, state string) string {
	return fmt.Sprintf(`<label>%s <input type="text" data-ddps="%d" value="%s"></label>`, html.EscapeString(t.Name), n,
		html.EscapeString(state))
}

// done is the button that ends an Interact.
const done = `<button type="button" data-ddps="done" title="Go on with the notebook">Done</button>`

// State is what the controls of an Interact stand at, numbered from 0 in their order. Asking for a control that is
// not there or is of another kind gives the zero value.
type State struct{ values []string }

func (s State) at(i int) string {
	if i < 0 || i >= len(s.values) {
		return ""
	}
	return s.values[i]
}

// Float returns the number that slider i stands at.
func (s State) Float(i int) float64 {
	x, _ := strconv.ParseFloat(s.at(i), 64)
	return x
}

// Int returns slider i's number without its fraction, the number of what select i chooses, or how often button i was
// pressed.
func (s State) Int(i int) int { return int(s.Float(i)) }

// Text returns what text i holds.
func (s State) Text(i int) string { return s.at(i) }

// On reports whether checkbox i is on.
func (s State) On(i int) bool { return s.at(i) == "true" }
