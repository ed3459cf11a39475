package repl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// most is how many lines are read back.
const most = 5000

// history is the lines typed, in a file that only its owner reads: a line each, quoted, so that those of several
// lines stay one. Runs at the same time add to one file.
type history struct {
	path  string // "" keeps them in memory only
	lines []string
}

// openHistory reads a history. A file that is not there is an empty one. Lines that do not read are left out.
func openHistory(path string) (*history, error) {
	h := &history{path: path}
	if path == "" {
		return h, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("repl: history: %w", err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for {
		text, err := in.ReadString('\n')
		if line, err := strconv.Unquote(strings.TrimSuffix(text, "\n")); err == nil {
			h.lines = append(h.lines, line)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("repl: history: %w", err)
		}
	}
	if len(h.lines) > most {
		h.lines = h.lines[len(h.lines)-most:]
	}
	return h, nil
}

// Write adds a line, unless it repeats the last one or begins with a space.
func (h *history) Write(line string) (int, error) {
	line = strings.TrimRight(line, " \n")
	if line == "" || line[0] == ' ' || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return len(h.lines), nil
	}
	h.lines = append(h.lines, line)
	if h.path == "" {
		return len(h.lines), nil
	}
	return len(h.lines), h.save(line)
}

func (h *history) save(line string) error {
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return fmt.Errorf("repl: history: %w", err)
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("repl: history: %w", err)
	}
	defer f.Close()
	lock := flock.New(h.path)
	if err := lock.Lock(); err == nil {
		defer lock.Close()
	}
	if err := f.Chmod(0o600); err != nil { // whatever it was
		return fmt.Errorf("repl: history: %w", err)
	}
	if _, err := f.WriteString(strconv.Quote(line) + "\n"); err != nil {
		return fmt.Errorf("repl: history: %w", err)
	}
	return nil
}

// GetLine returns line number i, from 0, the oldest.
func (h *history) GetLine(i int) (string, error) {
	if i < 0 || i >= len(h.lines) {
		return "", fmt.Errorf("repl: no line %d in the history", i)
	}
	return h.lines[i], nil
}

// Len returns the number of lines.
func (h *history) Len() int { return len(h.lines) }

// Dump returns all lines.
func (h *history) Dump() any { return h.lines }

// find returns the lines that hold a text, the oldest first.
func (h *history) find(text string) []string {
	var found []string
	for _, l := range h.lines {
		if strings.Contains(l, text) {
			found = append(found, l)
		}
	}
	return found
}

// HistoryFile returns where the history is kept if nothing else is said: below XDG_STATE_HOME or ~/.local/state.
func HistoryFile() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("repl: %w", err)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "ddps", "history"), nil
}
