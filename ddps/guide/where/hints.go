package where

import (
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// hint returns how what may have been meant is written, where t stands and something else, want, should; "" for no
// idea.
func hint(t token, want string) string {
	switch name, compared := strings.CutPrefix(want, "one of >=, <=, =, >, < after "); {
	case compared && t.kind == end && !slices.Contains([]string{"length", "visits", "stay", "reward", "cost"}, name):
		return `a place is written visit("` + name + `")`
	case want == "and, or, or the end":
		return joinHint(t)
	case want == "(" && t.kind == text:
		return `a name stands in brackets, as in visit("` + t.s + `")`
	case want == "in":
		return `write start("A") or end("A"), or returns where the last place is the first`
	case want == "of":
		return `write visit("A") within 3 of visit("B")`
	case want == "," && t.kind == text:
		return "a comma is missing before it"
	case want == ",":
		return `two places are needed, with a comma between, as in before("A", "B")`
	case want == "}" && t.kind == text:
		return "a comma is missing before it"
	case want == "}" || want == ")" && t.kind == end:
		return "a bracket is not closed"
	case want == ")" && t.kind == text:
		return `any of several places is {"A", "B"}`
	case want == "..":
		return "a window of time has two ends, as in 8:10..8:30"
	case want == "layer":
		return `a window is written layer 2..4, or of time 8:10..8:30`
	case strings.HasPrefix(want, "one of >=, <=, =, >, < after length"), strings.HasPrefix(want, "a number of vertices"):
		return "write length 6..9 or length >= 6"
	case strings.HasPrefix(want, `a "name"`) && t.kind == symbol && (t.s == "(" || t.s == "["):
		return `any of several places is {"A", "B"}`
	case strings.HasPrefix(want, "a condition") && t.kind == word && t.s == "within":
		return `write visit("A") within 3 of visit("B")`
	case strings.HasPrefix(want, "a condition") && t.kind == text:
		return `write visit("` + t.s + `")`
	case strings.HasPrefix(want, "the number of a layer"):
		return "write layer 2..4"
	}
	return ""
}

// joinHint is hint where a condition has ended.
func joinHint(t token) string {
	lower := strings.ToLower(t.s)
	units := []string{"m", "min", "mins", "minute", "minutes", "h", "hour", "hours", "s", "sec", "second", "seconds"}
	switch {
	case t.kind == symbol && t.s == ")":
		return "there is no ( to it"
	case t.kind == symbol && t.s == "..":
		return "a range of lengths is written length 6..9"
	case t.kind == symbol && t.s == ",", slices.Contains([]string{"but", "plus", "also", "while"}, lower):
		return "write and"
	case lower == "xor":
		return "write (a or b) and not (a and b)"
	case t.kind == word && slices.Contains(units, lower):
		return `a time is written H:MM, as in stay("A") >= 0:10`
	case lower == "before":
		return `write before("A", "B"), or visit("A") then visit("B")`
	case slices.Contains([]string{"followed", "after", "next", "afterwards", "later"}, lower):
		return `one after the other is written visit("A") then visit("B")`
	case t.kind == word && slices.Contains(termWords(), lower):
		return "join two conditions by and, or by or"
	}
	return ""
}

// quotedClock reports whether a text in quotes is a time of day.
func quotedClock(t token) bool {
	_, ok := ddps.ParseClock(t.s)
	return ok
}

// listInQuotes returns the names of a text that lists several, nil where that is not so.
func (c *compiler) listInQuotes(name string) (list []string) {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == ',' || r == ';' || r == '|' }) {
		part = strings.TrimSpace(part)
		if c.is(Place{Kind: ByName, Name: part}) == nil {
			return nil
		}
		list = append(list, part)
	}
	if len(list) < 2 {
		return nil
	}
	return list
}
