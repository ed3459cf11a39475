package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/ddps-go/ddps/kernelext/live"
)

// lines reads a stream: code, and between it what the code reads.
type lines struct {
	mu      sync.Mutex
	in      *bufio.Reader
	read    int             // lines so far
	pending chan lineOrFail // a line asked for that nobody waited for
	ahead   *string         // code read behind declarations that belong together
}

type lineOrFail struct {
	text string // with its end
	err  error
}

func newLines(in io.Reader) *lines { return &lines{in: bufio.NewReader(in)} }

// line returns the next line with its end, or what there is of it with an error. It ends with ctx, and what comes later
// is the next line.
func (l *lines) line(ctx context.Context) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending == nil {
		ch := make(chan lineOrFail, 1)
		l.pending = ch
		go func() {
			text, err := l.in.ReadString('\n')
			ch <- lineOrFail{text, err}
		}()
	}
	select {
	case got := <-l.pending:
		l.pending = nil
		if got.text != "" {
			l.read++
		}
		return got.text, got.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// typed returns the next line without its end.
func (l *lines) typed(ctx context.Context) (string, error) {
	text, err := l.line(ctx)
	if text != "" {
		err = nil
	}
	return strings.TrimRight(text, "\r\n"), err
}

// next returns the next lines that are whole together, and how many came before them. ask is called before each
// line is read, and told whether it goes on.
func (l *lines) next(ctx context.Context, ask func(more bool)) (code string, before int, err error) {
	before = l.read
	for {
		ask(code != "")
		s, err := l.line(ctx)
		code += s
		if err != nil && (code == "" || !errors.Is(err, io.EOF)) {
			return "", before, err
		}
		if err != nil || strings.HasPrefix(strings.TrimSpace(code), ":") || live.Complete(code) {
			return strings.TrimSuffix(code, "\n"), before, nil
		}
	}
}

// group is next for a stream without prompts: a type's declaration comes with those that follow it, its methods and
// what they use.
func (l *lines) group(ctx context.Context) (code string, before int, err error) {
	if l.ahead != nil {
		code, l.ahead = *l.ahead, nil
		return code, l.read - strings.Count(code, "\n") - 1, nil
	}
	code, before, err = l.next(ctx, func(bool) {})
	for err == nil && declares(code) && strings.Contains(code, "type") {
		more, _, err := l.next(ctx, func(bool) {})
		if err != nil {
			break // once more at the next call
		}
		if !declares(more) {
			l.ahead = &more
			break
		}
		code += "\n" + more
	}
	return code, before, err
}

// fromTerminal returns the next line typed on the terminal that is standard input, which sends whole lines while no
// line of code is edited.
func fromTerminal(ctx context.Context) (string, error) {
	var line []byte
	part := make([]byte, 4096)
	for {
		if err := readable(ctx, os.Stdin); err != nil {
			return "", err
		}
		n, err := os.Stdin.Read(part)
		line = append(line, part[:n]...)
		if n == 0 || err != nil {
			if len(line) == 0 && err == nil {
				err = io.EOF
			}
			return string(line), err
		}
		if text, whole := strings.CutSuffix(string(line), "\n"); whole {
			return text, nil
		}
	}
}
