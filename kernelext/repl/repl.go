package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/reeflective/readline"
	"golang.org/x/term"

	"github.com/ddps-go/ddps/kernelext/live"
)

// Config says how a session looks and where it keeps its history.
type Config struct {
	Out, Err   io.Writer
	In         io.Reader        // what a script's code reads; nil: standard input
	History    string           // file; "" for none
	Graphics   Graphics         // "": what the environment says
	Quiet      bool             // no greeting
	Interrupts <-chan os.Signal // what stops a running line; nil: its context alone
}

// repl is a session with what is around it.
type repl struct {
	Config
	live    *live.Session
	screen  *screen
	history *history
	done    bool
}

func newREPL(c Config) (*repl, error) {
	if c.Graphics == "" {
		c.Graphics = Detect(os.Getenv)
	}
	r := &repl{Config: c, screen: newScreen(c.Out, c.Err, c.Graphics)}
	if !r.screen.tty {
		r.screen.graphics = None
	}
	var err error
	if r.live, err = live.New(r.screen); err != nil {
		return nil, err
	}
	if r.history, err = openHistory(c.History); err != nil { // no reason not to work
		fmt.Fprintf(c.Err, "warning: %v; lines are kept until the end only\n", err)
		r.history = &history{}
	}
	return r, nil
}

// Interactive runs a session on the terminal that is standard input until its end, :quit or ctx. The error is that
// the session could not start or the terminal is gone; those of lines are told and forgotten.
func Interactive(ctx context.Context, c Config) error {
	r, err := newREPL(c)
	if err != nil {
		return err
	}
	if !r.Quiet {
		fmt.Fprintln(r.Out, "Go, line by line, with the project at hand. :help shows examples, Tab completes, Ctrl-D leaves.")
	}
	read := r.plainLines(ctx)
	if t := os.Getenv("TERM"); term.IsTerminal(int(os.Stdin.Fd())) && t != "" && t != "dumb" {
		read, r.screen.read = r.editor(), fromTerminal
	}
	for !r.done && ctx.Err() == nil {
		line, err := read()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(r.Out)
			return nil
		case err != nil:
			return fmt.Errorf("repl: %w", err)
		}
		if err := r.line(ctx, line); err != nil {
			r.complain(err)
		}
	}
	return nil
}

// editor returns a reader of lines with editing, history and completion.
func (r *repl) editor() func() (string, error) {
	sh := readline.NewShell()
	sh.Config.Set("enable-bracketed-paste", true) //nolint:errcheck // the option is there: what is pasted arrives as it is
	sh.Prompt.Primary(func() string { return "\x1b[1mddps>\x1b[0m " })
	sh.Prompt.Secondary(func() string { return "  ... " })
	sh.History.Delete()
	sh.History.Add("ddps", r.history)
	sh.AcceptMultiline = func(line []rune) bool {
		s := string(line)
		return strings.HasPrefix(strings.TrimSpace(s), ":") || live.Complete(s)
	}
	complete := sh.Keymap.Commands()["complete"]
	sh.Keymap.Register(map[string]func(){"complete": func() {
		before := string((*sh.Line())[:sh.Cursor().Pos()])
		if strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == "" {
			sh.Cursor().InsertAt('\t') // pasted where the terminal does not mark what is, or typed to indent
			return
		}
		complete()
	}})
	sh.Completer = func(line []rune, cursor int) readline.Completions {
		code := string(line)
		pos := len(string(line[:cursor]))
		names, start := r.complete(code, pos)
		prefix := code[:start]
		if i := strings.LastIndexAny(prefix, " \t\n"); i >= 0 {
			prefix = prefix[i+1:]
		}
		values := make([]string, 0, 2*len(names))
		for _, n := range names { // a word reaches back to a space
			values = append(values, prefix+n, n)
		}
		return completions(values)
	}
	return sh.Readline
}

// completions makes candidates of what to insert and what to show, in pairs.
func completions(pairs []string) readline.Completions {
	list := make([]readline.Completion, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, readline.Completion{Value: pairs[i], Display: pairs[i+1]})
	}
	return readline.CompleteRaw(list).NoSpace('*')
}

// complete completes commands and code.
func (r *repl) complete(code string, pos int) (names []string, start int) {
	if name, ok := strings.CutPrefix(code[:pos], ":"); ok && !strings.Contains(name, " ") {
		for _, c := range commands() {
			if strings.HasPrefix(c.name, name) {
				names = append(names, c.name)
			}
		}
		return names, 1
	}
	list, start := r.live.Complete(code, pos)
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names, start
}

// plainLines returns a reader of lines for terminals that cannot edit: it asks on until a line is whole.
func (r *repl) plainLines(ctx context.Context) func() (string, error) {
	in := newLines(os.Stdin)
	r.screen.read = in.typed
	return func() (string, error) {
		code, _, err := in.next(ctx, func(more bool) {
			prompt := "ddps> "
			if more {
				prompt = "  ... "
			}
			io.WriteString(r.Out, prompt)
		})
		if err == nil {
			r.history.Write(code)
		}
		return code, err
	}
}

// line runs a command or code. Interrupts end it.
func (r *repl) line(ctx context.Context, code string) error {
	trimmed := strings.TrimSpace(code)
	if trimmed == "" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case <-r.Interrupts:
				cancel()
			case <-ended:
				return
			}
		}
	}()
	if command, ok := strings.CutPrefix(trimmed, ":"); ok {
		return r.command(ctx, command)
	}
	return r.live.Eval(ctx, code, r.screen)
}

// complain tells what a line failed with.
func (r *repl) complain(err error) {
	var e *live.Error
	if !errors.As(err, &e) {
		fmt.Fprintln(r.screen.Stderr(), err)
		return
	}
	red, reset := "", ""
	if r.screen.tty && r.screen.graphics != None {
		red, reset = "\x1b[31m", "\x1b[0m"
	}
	lines := e.Traceback()
	if len(e.Trace) == 0 && e.Line() <= 1 { // of one line: no need to say which
		lines = lines[len(lines)-1:]
	}
	for i, l := range lines {
		if i == len(lines)-1 {
			l = red + l + reset
		}
		fmt.Fprintln(r.screen.Stderr(), l)
	}
}
