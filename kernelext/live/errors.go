package live

import (
	"errors"
	"fmt"
	"go/scanner"
	"strings"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// ErrInterrupted is what a cell ends in whose context was cancelled.
var ErrInterrupted = errors.New("interrupted")

// ErrBusy says that the cell was interrupted before it began: another was at work.
var ErrBusy = errors.New("interrupted before it began: another cell was at work")

// ErrStuck says that an interrupted cell is still in a call that cannot be stopped. The session goes on without it.
var ErrStuck = errors.New("interrupted, but a call of compiled code cannot be stopped and goes on beside the " +
	"session; its values may still change. " +
	"%reset forgets them")

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

// StillRunning reports whether code runs on beside the session, though the cell was interrupted.
func (e *Error) StillRunning() bool { return e.Err == ErrStuck || e.Err == ErrBusy }

// Line returns the line of the cell at which it failed, from 1; 0 if none in particular.
func (e *Error) Line() int { return e.line }

// shownFrames is how many calls of a long traceback are shown at each end.
const shownFrames = 20

// Traceback returns what to show: a line a place, outermost first, and the message.
func (e *Error) Traceback() []string {
	var lines []string
	for i := len(e.Trace) - 1; i >= 0; i-- {
		if n := len(e.Trace) - shownFrames; n > shownFrames && i == len(e.Trace)-shownFrames {
			lines = append(lines, fmt.Sprintf("… %d more calls …", n-shownFrames))
			i = shownFrames - 1
		}
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

// fail makes an *Error of what parsing, checking or compiling gave.
func fail(err error) *Error {
	var list scanner.ErrorList
	var f *eval.Failure
	switch {
	case errors.As(err, &list) && len(list) > 0:
		return &Error{Name: "syntax error", Message: syntax(list[0].Msg), line: list[0].Pos.Line}
	case errors.As(err, &f):
		return &Error{Name: f.Kind, Message: ownTypes(f.Message), line: f.Line}
	}
	return &Error{Name: "compile error", Message: err.Error()}
}

// ownTypes says of what the session has in place of the library's types that compiled cells have those.
func ownTypes(msg string) string {
	if !strings.Contains(msg, "*live.") {
		return msg
	}
	return strings.NewReplacer("*live.stream", "a stream of the cell", "*live.logger", "a logger of the cell",
		"*live.input", "the input of the cell").Replace(msg) +
		" (a compiled cell, without %%live, has the library's type)"
}

// syntax says in a cell's terms what the parser said of the function around it.
func syntax(msg string) string {
	if strings.HasSuffix(msg, "found '}'") || strings.HasSuffix(msg, "found 'EOF'") {
		return msg[:strings.LastIndex(msg, "found ")] + "found the end"
	}
	return msg
}

// panicked makes an *Error of what code of cells panicked with.
func (s *Session) panicked(value any, trace []eval.Frame) *Error {
	if p, ok := value.(interface{ Panicked() any }); ok { // in a goroutine of the library, with a stack for programs
		value = p.Panicked()
	}
	e := &Error{Name: "panic", Message: s.text(func() string { return fmt.Sprint(value) })}
	for _, f := range trace {
		e.Trace = append(e.Trace, Frame(f))
	}
	for _, f := range e.Trace { // the innermost place of the cell at work
		if f.Cell == e.Trace[len(e.Trace)-1].Cell {
			e.line = f.Line
			break
		}
	}
	if err, ok := value.(error); ok {
		e.Err = err
	}
	var m *eval.MustError
	if errors.As(e.Err, &m) {
		e.Name, e.Err, e.Message = "error", m.Err, m.Error()
	}
	var u *eval.Unsupported
	if errors.As(e.Err, &u) {
		e.Name = "unsupported"
	}
	var a *eval.Abort
	if errors.As(e.Err, &a) {
		e.Err, e.Message = a.Err, a.Err.Error()
	}
	return e
}
