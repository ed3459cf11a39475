package kernel

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// fail makes a failure whose traceback is its name and value, in red, and what more there is.
func fail(name, value string, more ...string) *jupyter.Failure {
	return &jupyter.Failure{Name: name, Value: value, Traceback: append([]string{"\x1b[31m" + name + ": " + value +
		"\x1b[0m"}, more...)}
}

// Names of failures.
const (
	nameCompile   = "CompileError"
	namePanic     = "Panic"
	nameFatal     = "FatalError"
	nameExit      = "ExitStatus"
	nameInterrupt = "Interrupted"
	nameMagic     = "MagicError"
	nameLive      = "LiveError"
	nameKernel    = "KernelError"
)

// colours are the escape sequences that set colours.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// crash makes a failure of the text of a Go program's crash.
func (b notebook) crash(text string) *jupyter.Failure {
	text, where := b.readable(strings.TrimSpace(text))
	lines := strings.Split(text, "\n")
	name, value := nameFatal, lines[0]
	if v, ok := strings.CutPrefix(lines[0], "panic: "); ok {
		name, value = namePanic, v
	} else if v, ok := strings.CutPrefix(lines[0], "fatal error: "); ok {
		value = v
	}
	if where != "" {
		value += " (" + where + ")"
	}
	return fail(name, value, lines[1:]...)
}

// failedBuild matches the end of GoNB's message: the command that failed.
var failedBuild = regexp.MustCompile(`(?s)failed to run ".*?": `)

// programLine is where the Go command says that an error is.
var programLine = regexp.MustCompile(`main(?:_test)?\.go:(\d+):`)

// compile makes a failure of GoNB's reply to a cell that it could not build. Its traceback has for each thing that the
// Go command said the place, what is wrong, and the cell's line. What is only unused comes last: it may be so for
// another error's sake.
func (b notebook) compile(f jupyter.Failure) *jupyter.Failure {
	said := strings.Split(f.Value, "\n")
	var errs, unused []string
	for i, part := range f.Traceback {
		part, where := b.readable(colours.ReplaceAllString(part, ""))
		rows := strings.Split(strings.TrimRight(part, "\n "), "\n")
		last := rows[len(rows)-1]
		if strings.HasPrefix(last, "#") || strings.TrimSpace(part) == "" || strings.HasPrefix(last, "exit status") {
			continue // the name of GoNB's package, the Go command's end
		}
		if at := programLine.FindStringSubmatch(said[min(i, len(said)-1)]); where == "" && at != nil {
			line, _ := strconv.Atoi(at[1])
			where = b.find(line)
		}
		text := last
		if where != "" {
			text = where + ": " + last
			if line := b.line(where); line != "" {
				text += "\n    " + line
			}
		}
		if strings.HasPrefix(last, "declared and not used") || strings.HasSuffix(last, "imported and not used") {
			unused = append(unused, text)
		} else {
			errs = append(errs, text)
		}
	}
	more := append(errs, unused...)
	value := firstLine(failedBuild.ReplaceAllString(colours.ReplaceAllString(f.Value, ""), ""))
	if len(more) > 0 {
		value = firstLine(more[0])
	}
	if strings.Contains(f.Value, "expected declaration") ||
		strings.Contains(f.Value, "non-declaration statement outside function body") {
		more = append(more, "Statements stand below a line %%, or in a cell that begins with %%live, where an expression "+
			"shows its value.")
	}
	return fail(nameCompile, value, more...)
}

// line returns the line of a cell that a place names, "" if it is not known.
func (b notebook) line(where string) string {
	var number, line int
	if n, _ := fmt.Sscanf(where, "cell [%d], line %d", &number, &line); n != 2 {
		return ""
	}
	for _, e := range slices.Backward(b.cells) {
		if rows := cells.New(e.Code).Lines; e.Number == number && line > 0 && line <= len(rows) {
			return strings.TrimSpace(rows[line-1])
		}
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// endFailure makes a failure of the outcome of what a cell ran; said is the last line that it wrote to stderr.
func endFailure(o gonb.Outcome, said string) *jupyter.Failure {
	switch {
	case o.Stopped:
		return fail(nameInterrupt, "the cell was stopped")
	case o.What != "cell" && o.Line > 0:
		return fail(nameExit, fmt.Sprintf("line %d: %s: %v", o.Line, o.What, o))
	case o.What != "cell":
		return fail(nameExit, fmt.Sprintf("%s: %v", o.What, o))
	case said != "":
		return fail(nameExit, fmt.Sprintf("%v: %s", o, said))
	}
	return fail(nameExit, o.String())
}

// liveFailure makes a failure of the error of a live cell, whose number it is. At a line that is none of Go, but of
// other cells, it says so.
func liveFailure(err error, number int, c cells.Cell) *jupyter.Failure {
	value := err.Error()
	var still StillRunning
	if errors.As(err, &still) && still.StillRunning() {
		return fail(nameInterrupt, value)
	}
	var at LineError
	if errors.As(err, &at) && at.Line() > 0 {
		value = strings.TrimPrefix(value, fmt.Sprintf("line %d: ", at.Line()))
		value = fmt.Sprintf("cell [%d], line %d: %s", number, at.Line(), value)
		if line := c.Lines[min(at.Line(), len(c.Lines))-1]; strings.HasPrefix(line, "!") || strings.HasPrefix(line, "%") ||
			strings.HasPrefix(line, "?") {
			value += " (%, ! and ? begin lines of cells without %%live)"
		}
	}
	var trace Tracebacker
	if errors.As(err, &trace) {
		return fail(nameLive, value, trace.Traceback()...)
	}
	return fail(nameLive, value)
}
