package repl

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/ddps-go/ddps/kernelext"
)

// screen is the Output of a terminal, or of a plain stream.
type screen struct {
	out, err io.Writer
	tty      bool
	graphics Graphics
	width    func() int                            // columns
	read     func(context.Context) (string, error) // the next line typed

	mu      sync.Mutex
	place   string // id of what stands last on the screen, "" if it cannot be replaced
	rows    int    // that it takes
	picture []byte // the last figure shown, as PNG
	vector  string // and as SVG
}

func newScreen(out, err io.Writer, g Graphics) *screen {
	s := &screen{out: out, err: err, graphics: g, width: func() int { return 80 }}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.tty = true
		s.width = func() int {
			w, _, err := term.GetSize(int(f.Fd()))
			if err != nil || w < 20 {
				return 80
			}
			return w
		}
	}
	return s
}

type stream struct {
	s *screen
	w io.Writer
}

// Write writes to the terminal: what stands last can no longer be replaced.
func (st stream) Write(p []byte) (int, error) {
	st.s.mu.Lock()
	defer st.s.mu.Unlock()
	st.s.place = ""
	return st.w.Write(p)
}

// Stdout is the terminal.
func (s *screen) Stdout() io.Writer { return stream{s, s.out} }

// Stderr is the terminal, or where errors go.
func (s *screen) Stderr() io.Writer { return stream{s, s.err} }

// ReadLine returns the next line that is typed.
func (s *screen) ReadLine(ctx context.Context) (string, error) {
	s.mu.Lock()
	s.place = ""
	read := s.read
	s.mu.Unlock()
	if read == nil {
		return "", io.EOF
	}
	return read(ctx)
}

// Result shows a bundle.
func (s *screen) Result(data, metadata map[string]any) { s.Display(data, metadata, "", false) }

// Display shows a bundle: a figure as a picture where the terminal can, else its text. An update replaces what it
// updates if that stands last, and is shown anew otherwise, but for text on what is no terminal.
func (s *screen) Display(data, _ map[string]any, id string, update bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if update && !s.tty {
		return
	}
	s.remember(data)
	text, rows := s.render(data)
	if update && id == s.place && s.rows > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\r\x1b[J", s.rows)
	}
	io.WriteString(s.out, text)
	s.place, s.rows = id, rows
}

// remember keeps the last figure for :save and :open.
func (s *screen) remember(data map[string]any) {
	png, ok := data[kernelext.MIMEPNG].(string)
	if !ok {
		return
	}
	if b, err := base64.StdEncoding.DecodeString(png); err == nil {
		s.picture = b
		s.vector, _ = data[kernelext.MIMESVG].(string)
	}
}

// render returns what to print, and how many rows it takes.
func (s *screen) render(data map[string]any) (text string, rows int) {
	plain := strings.TrimSuffix(fmt.Sprint(data[kernelext.MIMEText]), "\n") + "\n"
	if _, isHTML := data[kernelext.MIMEHTML]; isHTML && s.tty && strings.Count(plain, "\n") == 1 { // a bar: one row
		if r := []rune(plain); len(r) > s.width() {
			plain = string(r[:s.width()-1]) + "\n"
		}
	}
	if data[kernelext.MIMEPNG] != nil && s.picture != nil {
		if pic, n := drawPicture(s.picture, s.graphics, s.width()); n > 0 {
			return pic + plain, n + s.count(plain)
		}
	}
	return plain, s.count(plain)
}

// count returns how many rows text takes, with lines that wrap.
func (s *screen) count(text string) int {
	n, w := 0, s.width()
	for line := range strings.Lines(text) {
		n += 1 + (max(1, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))-1)/w
	}
	return n
}
