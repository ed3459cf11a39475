package cells

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
)

// cell is a cell's code as the kernel sees it.
type Cell struct {
	Code  string
	Lines []string
}

// New returns the cell of a code.
func New(code string) Cell { return Cell{code, strings.Split(code, "\n")} }

// Trimmed returns a line without the prefix under which Go tools take a magic for a comment.
func Trimmed(line string) string { return strings.TrimPrefix(line, "//gonb:") }

// First returns the first line that is not blank, and its index; "" and -1 if all are.
func (c Cell) First() (string, int) {
	for i, line := range c.Lines {
		if strings.TrimSpace(line) != "" {
			return Trimmed(line), i
		}
	}
	return "", -1
}

const byteOrderMark = "\ufeff"

// Clean returns code without a byte order mark where it begins, at the start and below magics, and with its lines ended
// as on Unix.
func Clean(code string) string {
	code = strings.ReplaceAll(code, "\r\n", "\n")
	if !strings.Contains(code, byteOrderMark) {
		return code
	}
	lines := strings.Split(code, "\n")
	for i, begins := 0, true; i < len(lines); i++ {
		if begins {
			lines[i] = strings.TrimPrefix(lines[i], byteOrderMark)
		}
		text := strings.TrimSpace(lines[i])
		begins = begins && text == "" || strings.HasPrefix(Trimmed(text), "%")
	}
	return strings.Join(lines, "\n")
}

// AsksInput returns the first line, from 1, by which the cell wants what the user types, 0 if there is none.
func (c Cell) AsksInput() int {
	for i, line := range c.Lines {
		if f := strings.Fields(Trimmed(line)); len(f) > 0 && (f[0] == "%with_inputs" || f[0] == "%with_password") {
			return i + 1
		}
	}
	return 0
}

// Waits reports whether the cell's statements may read what the user types without a prompt for it: %with_inputs alone
// prompts for shell commands.
func (c Cell) Waits() bool {
	_, statements, _ := c.goLines()
	return c.AsksInput() > 0 && statements >= 0 && !strings.Contains(c.Code, "RequestInput")
}

// begins reports whether the last line says what kind of code follows.
func (c Cell) begins() bool {
	last := strings.TrimSpace(Trimmed(c.Lines[len(c.Lines)-1]))
	return last == "%%" || last == "%%time" || last == "%%parameters" || last == "%%timeit" || len(c.Lines) == 1 &&
		(last == "%%live" || IsMagic(strings.Fields(last + " -")[0]))
}

// TimeLive makes live cells of those that are ones without saying so in their first line: %who and %timeit CODE alone,
// and those with %%time or %%timeit above %%live.
func (c *Cell) TimeLive() {
	line, i := c.First()
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest := Cell{Lines: c.Lines[i+1:]}
	next, j := rest.First()
	switch {
	case (word == "%who" || word == "%timeit") && j < 0:
		*c = New("%%live\n" + line)
	case (word == "%%time" || word == "%%timeit") && strings.TrimSpace(next) == "%%live":
		c.Lines[i], c.Lines[i+1+j] = "%%live", word
		*c = New(strings.Join(c.Lines, "\n"))
	}
}

// Live returns the code of a %%live cell, and how many lines stand before it.
func (c Cell) Live() (code string, above int, ok bool) {
	line, i := c.First()
	if i < 0 || strings.TrimSpace(line) != "%%live" {
		return "", 0, false
	}
	return strings.Join(c.Lines[i+1:], "\n"), i + 1, true
}

// Query returns the name that the cell asks about: ?name or name?, alone in the cell.
func (c Cell) Query() (name string, ok bool) {
	code := c.Code
	if live, _, ok := c.Live(); ok {
		code = live
	}
	name, before := strings.CutPrefix(strings.TrimSpace(code), "?")
	name, after := strings.CutSuffix(name, "?")
	name = strings.Trim(name, "?")
	if !before && !after || name == "" || strings.ContainsAny(name, " \t\n\"`'(){}!%=:;") {
		return "", false
	}
	return name, true
}

// DDPS returns the arguments of a line %ddps ….
func DDPS(line string) (args []string, ok bool) {
	f := strings.Fields(Trimmed(line))
	if len(f) == 0 || f[0] != "%ddps" {
		return nil, false
	}
	return splitArgs(strings.TrimPrefix(strings.TrimSpace(Trimmed(line)), "%ddps")), true
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

// Magics returns the magics that take the whole cell, and what follows them is not Go.
func Magics() []string { return []string{"%%writefile", "%%script", "%%bash", "%%sh", "%%gx"} }

// IsMagic reports whether a word is one of Magics.
func IsMagic(word string) bool { return slices.Contains(Magics(), word) }

// LineMagics returns the magics of a line that GoNB knows; it takes all others for a remark.
func LineMagics() []string {
	return []string{"main", "args", "test", "exec", "wasm", "widgets", "widgets_hb", "env", "cd", "goflags",
		"autoget", "noautoget",
		"help", "version", "reset", "ls", "list", "rm", "remove", "with_inputs", "with_password", "track", "untrack",
		"goworkfix", "capture"}
}

// Rewrite returns the code for GoNB: what runs other programs goes through the shim run, lines stay where they are. A
// magic that nobody knows is an error.
func (c Cell) Rewrite(run string) (string, error) {
	out := slices.Clone(c.Lines)
	if len(out) > 0 {
		first := Trimmed(out[0])
		f := strings.Fields(first)
		if len(f) > 0 && IsMagic(f[0]) {
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
		line := Trimmed(out[i])
		if len(line) < 2 {
			continue
		}
		switch line[0] {
		case '!':
			at := i
			command := line[1:]
			for strings.HasSuffix(command, "\\") && i+1 < len(out) { // goes on, as GoNB has it
				i++
				command = strings.TrimSuffix(command, "\\") + " " + Trimmed(out[i])
				out[i] = ""
			}
			star := ""
			if command = strings.TrimLeft(command, " \t"); strings.HasPrefix(command, "*") {
				star, command = "*", command[1:]
			}
			out[at] = fmt.Sprintf("!%s%s shell %d %s", star, gonb.QuoteSh(run), at+1, gonb.QuoteSh(command))
		case '%':
			name := strings.Fields(line[1:] + " ")
			if len(name) > 0 && !strings.HasPrefix(name[0], "%") && !slices.Contains(LineMagics(), name[0]) {
				return "", fmt.Errorf("line %d: %%%s is no magic that is known here; %%ddps help lists those that are", i+1,
					name[0])
			}
			if len(name) > 0 && len(name[0]) > 1 && name[0][0] == '%' {
				if word := "%" + name[0]; word == "%%live" || IsMagic(word) {
					return "", fmt.Errorf("line %d: %s can only stand in a cell's first line", i+1, word)
				}
				return "", fmt.Errorf("line %d: %%%s is no magic that is known here; %%ddps help lists those that are", i+1,
					name[0])
			}
		}
	}
	return strings.Join(out, "\n"), nil
}

// Blank reports whether nothing is left to run.
func (c Cell) Blank() bool { return strings.TrimSpace(c.Code) == "" }

// Resets reports whether a cell forgets all declarations, which live cells then do too.
func (c Cell) Resets() bool {
	for _, line := range c.Lines {
		if strings.TrimSpace(Trimmed(line)) == "%reset" {
			return true
		}
	}
	return false
}
