package live

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// errNoInput says that nobody can type where the cell is shown.
var errNoInput = errors.New("no input: nobody can type where this cell is shown")

// input stands for os.Stdin: what the user of the current cell types, line by line. It has no ReadRune, as os.File has
// none, so that package fmt reads from it as from a terminal.
type input struct {
	s    *Session
	mu   sync.Mutex
	rest []byte // of the last line
}

// Read reads from the line typed last, or waits for the next one.
func (in *input) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	if len(in.rest) == 0 {
		out, ok := in.s.out.current().(kernelext.Input)
		if !ok {
			return 0, errNoInput
		}
		line, err := out.ReadLine(in.s.Context())
		if err != nil {
			return 0, err
		}
		in.rest = append([]byte(line), '\n')
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

// Name returns the name of the stream.
func (*input) Name() string { return "/dev/stdin" }

// Close does nothing: other cells may read on.
func (*input) Close() error { return nil }

// overrideInput gives cells what is typed as os.Stdin, and package fmt's functions that read it.
func (s *Session) overrideInput(t eval.Tables) {
	in := &input{s: s}
	t["os/os"]["Stdin"] = reflect.ValueOf(&in).Elem()
	put := func(name string, f any) { t["fmt/fmt"][name] = reflect.ValueOf(f) }
	var from io.Reader = in
	put("Scan", func(a ...any) (int, error) { return fmt.Fscan(from, a...) })
	put("Scanln", func(a ...any) (int, error) { return fmt.Fscanln(from, a...) })
	put("Scanf", func(format string, a ...any) (int, error) { return fmt.Fscanf(from, format, a...) })
}
