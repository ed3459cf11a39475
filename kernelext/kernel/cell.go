package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
)

// cell is a cell's code as the kernel sees it.
type cell struct {
	code  string
	lines []string
}

func newCell(code string) cell { return cell{code, strings.Split(code, "\n")} }

// trimmed returns a line without the prefix under which Go tools take a magic for a comment.
func trimmed(line string) string { return strings.TrimPrefix(line, "//gonb:") }

// first returns the first line that is not blank, and its index; "" and -1 if all are.
func (c cell) first() (string, int) {
	for i, line := range c.lines {
		if strings.TrimSpace(line) != "" {
			return trimmed(line), i
		}
	}
	return "", -1
}

// clean returns code without a byte order mark, and with its lines ended as on Unix.
func clean(code string) string {
	return strings.ReplaceAll(strings.TrimPrefix(code, "\ufeff"), "\r\n", "\n")
}

// asksInput returns the first line, from 1, by which the cell wants what the user types, 0 if there is none.
func (c cell) asksInput() int {
	for i, line := range c.lines {
		if f := strings.Fields(trimmed(line)); len(f) > 0 && (f[0] == "%with_inputs" || f[0] == "%with_password") {
			return i + 1
		}
	}
	return 0
}

// begins reports whether the last line says what kind of code follows.
func (c cell) begins() bool {
	last := strings.TrimSpace(trimmed(c.lines[len(c.lines)-1]))
	return last == "%%" || last == "%%time" || last == "%%parameters" || last == "%%timeit" || len(c.lines) == 1 &&
		(last == "%%live" || isCellMagic(strings.Fields(last + " -")[0]))
}

// timeLive makes live cells of those that are ones without saying so in their first line: %who and %timeit CODE alone, and
// those with %%time or %%timeit above %%live.
func (c *cell) timeLive() {
	line, i := c.first()
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest := cell{lines: c.lines[i+1:]}
	next, j := rest.first()
	switch {
	case (word == "%who" || word == "%timeit") && j < 0:
		*c = newCell("%%live\n" + line)
	case (word == "%%time" || word == "%%timeit") && strings.TrimSpace(next) == "%%live":
		c.lines[i], c.lines[i+1+j] = "%%live", word
		*c = newCell(strings.Join(c.lines, "\n"))
	}
}

// live returns the code of a %%live cell, and how many lines stand before it.
func (c cell) live() (code string, above int, ok bool) {
	line, i := c.first()
	if i < 0 || strings.TrimSpace(line) != "%%live" {
		return "", 0, false
	}
	return strings.Join(c.lines[i+1:], "\n"), i + 1, true
}

// query returns the name that the cell asks about: ?name or name?, alone in the cell.
func (c cell) query() (name string, ok bool) {
	s := strings.TrimSpace(c.code)
	name, before := strings.CutPrefix(s, "?")
	name, after := strings.CutSuffix(name, "?")
	name = strings.Trim(name, "?")
	if !before && !after || name == "" || strings.ContainsAny(name, " \t\n\"`'(){}!%=:;") {
		return "", false
	}
	return name, true
}

// ddps returns the arguments of a line %ddps ….
func ddps(line string) (args []string, ok bool) {
	f := strings.Fields(trimmed(line))
	if len(f) == 0 || f[0] != "%ddps" {
		return nil, false
	}
	return splitArgs(strings.TrimPrefix(strings.TrimSpace(trimmed(line)), "%ddps")), true
}

// splitArgs splits at blanks, but not inside double or single quotes.
func splitArgs(s string) (args []string) {
	var arg strings.Builder
	quote, open := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			arg.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				args = append(args, arg.String())
				arg.Reset()
				open = false
			}
		default:
			arg.WriteRune(r)
			open = true
		}
	}
	if open {
		args = append(args, arg.String())
	}
	return args
}

// cellMagics take the whole cell, and what follows them is not Go.
var cellMagics = []string{"%%writefile", "%%script", "%%bash", "%%sh", "%%gx"}

func isCellMagic(word string) bool { return slices.Contains(cellMagics, word) }

// lineMagics are those that GoNB knows; it takes all others for a remark.
var lineMagics = []string{"main", "args", "test", "exec", "wasm", "widgets", "widgets_hb", "env", "cd", "goflags",
	"autoget", "noautoget",
	"help", "version", "reset", "ls", "list", "rm", "remove", "with_inputs", "with_password", "track", "untrack",
	"goworkfix", "capture"}

// rewrite returns the code for GoNB: what runs other programs goes through the shim run, lines stay where they are. A
// magic that nobody knows is an error.
func (c cell) rewrite(run string) (string, error) {
	out := slices.Clone(c.lines)
	if len(out) > 0 {
		first := trimmed(out[0])
		f := strings.Fields(first)
		if len(f) > 0 && isCellMagic(f[0]) {
			switch f[0] {
			case "%%bash", "%%sh":
				out[0] = fmt.Sprintf("%%%%script %q script %s", run, f[0][2:])
			case "%%script":
				out[0] = fmt.Sprintf("%%%%script %q script %s", run, strings.TrimSpace(strings.TrimPrefix(first, f[0])))
			}
			return strings.Join(out, "\n"), nil
		}
	}
	for i := 0; i < len(out); i++ {
		line := trimmed(out[i])
		if len(line) < 2 {
			continue
		}
		switch line[0] {
		case '!':
			at := i
			command := line[1:]
			for strings.HasSuffix(command, "\\") && i+1 < len(out) { // goes on, as GoNB has it
				i++
				command = strings.TrimSuffix(command, "\\") + " " + trimmed(out[i])
				out[i] = ""
			}
			star := ""
			if command = strings.TrimLeft(command, " \t"); strings.HasPrefix(command, "*") {
				star, command = "*", command[1:]
			}
			out[at] = fmt.Sprintf("!%s%s shell %d %s", star, gonb.QuoteSh(run), at+1, gonb.QuoteSh(command))
		case '%':
			name := strings.Fields(line[1:] + " ")
			if len(name) > 0 && !strings.HasPrefix(name[0], "%") && !slices.Contains(lineMagics, name[0]) {
				return "", fmt.Errorf("line %d: %%%s is no magic that is known here; %%ddps help lists those that are", i+1,
					name[0])
			}
			if len(name) > 0 && len(name[0]) > 1 && name[0][0] == '%' {
				if word := "%" + name[0]; word == "%%live" || isCellMagic(word) {
					return "", fmt.Errorf("line %d: %s can only stand in a cell's first line", i+1, word)
				}
				return "", fmt.Errorf("line %d: %%%s is no magic that is known here; %%ddps help lists those that are", i+1,
					name[0])
			}
		}
	}
	return strings.Join(out, "\n"), nil
}

// blank reports whether nothing is left to run.
func (c cell) blank() bool { return strings.TrimSpace(c.code) == "" }

// resets reports whether a cell forgets all declarations, which live cells then do too.
func resets(c cell) bool {
	for _, line := range c.lines {
		if strings.TrimSpace(trimmed(line)) == "%reset" {
			return true
		}
	}
	return false
}
