package live

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"reflect"
	"strings"

	"github.com/ddps-go/ddps/internal/ram"
	"github.com/ddps-go/ddps/kernelext/live/eval"
	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// override puts in the tables what cells must see differently from programs: streams, what ends a program, what waits,
// and the facade's functions that belong to this session.
func (s *Session) override(t eval.Tables) {
	stdout, stderr := s.out.Stdout(), s.out.Stderr()
	put := func(pkg, name string, f any) { t[pkg][name] = reflect.ValueOf(f) }
	out, errs := &stream{stdout, "/dev/stdout"}, &stream{stderr, "/dev/stderr"}
	t["os/os"]["Stdout"] = reflect.ValueOf(&out).Elem()
	t["os/os"]["Stderr"] = reflect.ValueOf(&errs).Elem()
	s.overrideInput(t)
	args := []string{"live"}
	t["os/os"]["Args"] = reflect.ValueOf(&args).Elem()
	overridePrint(t, stdout)
	put("os/os", "Exit", func(code int) {
		if code == 0 {
			panic(&eval.Abort{Err: errExit})
		}
		panic(fmt.Errorf("os.Exit(%d): a live cell does not end the session", code))
	})
	put("runtime/runtime", "Goexit", func() { panic(&eval.Abort{Err: eval.ErrGoexit}) })
	overrideSlog(t["log/slog/slog"], overrideLog(t["log/log"], stderr))
	overrideFlag(t["flag/flag"], &args, stderr)
	overrideGob(t["encoding/gob/gob"])
	for pkg, names := range ofCompiled() {
		for _, name := range names {
			delete(t[pkg], name)
		}
	}
	put("strings/strings", "Repeat", func(text string, count int) string {
		fits(len(text), count)
		return strings.Repeat(text, count)
	})
	put("bytes/bytes", "Repeat", func(b []byte, count int) []byte {
		fits(len(b), count)
		return bytes.Repeat(b, count)
	})
	put("time/time", "Sleep", s.sleep)
	l := reflect.ValueOf(lab.New(s.Context, s.out, s.exclusive))
	table := t[labPath+"/lab"]
	for i := range l.NumMethod() {
		table[l.Type().Method(i).Name] = l.Method(i)
	}
	delete(table, "New")
}

// fits panics if count copies of size bytes are more than the machine has: running out of memory would end the session.
func fits(size, count int) {
	if have := ram.Machine(); have > 0 && count > 0 && float64(size)*float64(count) > float64(have) {
		panic(fmt.Errorf("out of memory: %.3g GB at once, and this machine has %.3g", float64(size)*float64(count)/1e9,
			float64(have)/1e9))
	}
}

// ofCompiled lists what looks at the stack and the functions of compiled code, where cells have none.
func ofCompiled() map[string][]string {
	return map[string][]string{"log/log": {"Llongfile", "Lshortfile"}, "runtime/debug/debug": {"PrintStack", "Stack"},
		"runtime/runtime": {"Caller", "Callers", "CallersFrames", "FuncForPC", "Stack"}}
}

// overrideLog gives cells a log package of their own, which writes to the cell and does not end the process.
func overrideLog(t map[string]reflect.Value, stderr io.Writer) *logger {
	std := &logger{log.New(stderr, "", log.LstdFlags)}
	t["Logger"] = reflect.ValueOf((*logger)(nil))
	t["New"] = reflect.ValueOf(func(w io.Writer, prefix string, flag int) *logger {
		return &logger{log.New(w, prefix, flag)}
	})
	t["Default"] = reflect.ValueOf(func() *logger { return std })
	v := reflect.ValueOf(std)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if f, ok := t[name]; ok && f.Kind() == reflect.Func && f.Type() == v.Method(i).Type() {
			t[name] = v.Method(i)
		}
	}
	return std
}

// stream stands for os.Stdout and os.Stderr, where an os.File would bypass the cell.
type stream struct {
	io.Writer
	name string
}

// WriteString writes a string.
func (s *stream) WriteString(text string) (int, error) { return io.WriteString(s.Writer, text) }

// Name returns the name of the stream.
func (s *stream) Name() string { return s.name }

// Sync does nothing: what is written is there.
func (s *stream) Sync() error { return nil }

// errExit ends a cell that calls os.Exit(0).
var errExit = errors.New("os.Exit(0)")

// logger is a log.Logger that does not end the process.
type logger struct{ *log.Logger }

// Fatal panics, as Panic does.
func (l *logger) Fatal(v ...any) { l.Panic(v...) }

// Fatalf panics, as Panicf does.
func (l *logger) Fatalf(format string, v ...any) { l.Panicf(format, v...) }

// Fatalln panics, as Panicln does.
func (l *logger) Fatalln(v ...any) { l.Panicln(v...) }
