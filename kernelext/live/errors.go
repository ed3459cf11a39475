package live

import (
	"errors"
	"fmt"
	"go/scanner"
	"regexp"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// ErrInterrupted is what a cell ends in whose context was cancelled.
var ErrInterrupted = errors.New("interrupted")

// ErrBusy says that an interrupted cell is still in a call that cannot be stopped.
var ErrBusy = errors.New("the interrupted cell is still in a call that cannot be stopped; wait for it, or reset the session")

// Error is why a cell failed.
type Error struct {
	Name    string  // "panic", "compile error", "syntax error", "error", "interrupted"
	Message string  // on one line or more, without place
	Trace   []Frame // innermost first; empty for what did not run
	Err     error   // what the cell returned or panicked with, if that was an error

	line int
}

// Frame is a place in a cell.
type Frame struct {
	Cell, Line int // from 1
	Func       string
}

// Error returns the message with the cell's line.
func (e *Error) Error() string {
	if e.line > 0 {
		return fmt.Sprintf("line %d: %s", e.line, e.Message)
	}
	return e.Message
}

// Unwrap returns the error that the cell returned or panicked with.
func (e *Error) Unwrap() error { return e.Err }

// Line returns the line of the cell at which it failed, from 1; 0 if none in particular.
func (e *Error) Line() int { return e.line }

// Traceback returns what to show: a line a place, outermost first, and the message.
func (e *Error) Traceback() []string {
	var lines []string
	for i := len(e.Trace) - 1; i >= 0; i-- {
		f := e.Trace[i]
		s := fmt.Sprintf("cell %d, line %d", f.Cell, f.Line)
		if f.Func != "" {
			s += ", in " + f.Func
		}
		lines = append(lines, s)
	}
	if len(e.Trace) == 0 && e.line > 0 {
		lines = append(lines, fmt.Sprintf("line %d", e.line))
	}
	return append(lines, e.Name+": "+e.Message)
}

// place finds the first mark of a cell's place, "3/cell.go:5:10", in a message.
var place = regexp.MustCompile(`(\d+)/` + base + `:(\d+)(?::\d+)?`)

// mangled finds the suffix of names that the session renamed.
var mangled = regexp.MustCompile(`·\d+\b`)

// fail makes an *Error of what parsing, compiling or running gave. line is that of the item at work.
func fail(err error, line int, trace []Frame) *Error {
	var own *Error
	var list scanner.ErrorList
	var p interp.Panic
	switch {
	case errors.As(err, &own):
		if own.line == 0 {
			own.line = line
		}
		return own
	case errors.As(err, &list) && len(list) > 0:
		return &Error{Name: "syntax error", Message: syntax(list[0].Msg), line: list[0].Pos.Line}
	case errors.As(err, &p):
		return panicked(p.Value, line, trace)
	}
	msg := err.Error()
	e := &Error{Name: "compile error", line: line}
	if m := place.FindStringSubmatchIndex(msg); m != nil {
		e.line, _ = strconv.Atoi(msg[m[4]:m[5]])
		msg = msg[:m[0]] + strings.TrimPrefix(msg[m[1]:], ": ")
	}
	e.Message = tidy(msg)
	return e
}

// tidy removes what a reader of messages need not know: places, which stand apart, and renamed names.
func tidy(msg string) string {
	return strings.TrimSpace(mangled.ReplaceAllString(place.ReplaceAllString(msg, "line $2"), ""))
}

// syntax says in a cell's terms what the parser said of the function around it.
func syntax(msg string) string {
	if strings.HasSuffix(msg, "found '}'") || strings.HasSuffix(msg, "found 'EOF'") {
		return msg[:strings.LastIndex(msg, "found ")] + "found the end"
	}
	return msg
}

func panicked(value any, line int, trace []Frame) *Error {
	if p, ok := value.(interface{ Panicked() any }); ok { // in a goroutine of the library, with a stack for programs
		value = p.Panicked()
	}
	e := &Error{Name: "panic", Message: tidy(fmt.Sprint(value)), Trace: trace, line: line}
	for _, f := range trace { // the innermost place of the cell at work
		if f.Cell == trace[len(trace)-1].Cell {
			e.line = f.Line
			break
		}
	}
	if err, ok := value.(error); ok {
		e.Err = err
	}
	var m *mustError
	if errors.As(e.Err, &m) {
		e.Name, e.Err, e.Message = "error", m.error, m.Error()
	}
	return e
}

// mustError is what must panics with.
type mustError struct{ error }

func (m *mustError) Unwrap() error { return m.error }
