package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ddps-go/ddps/internal/atomicfile"
	"github.com/ddps-go/ddps/internal/ram"
	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// command is a line that begins with a colon.
type command struct {
	name, args, help string
	run              func(r *repl, ctx context.Context, arg string) error
}

// commands lists them.
func commands() []command {
	return []command{
		{"help", "[NAME]", "examples and all names, or what NAME is", (*repl).help},
		{"history", "[TEXT]", "lines typed before, those with TEXT", (*repl).showHistory},
		{"names", "", "what this session has defined", func(r *repl, _ context.Context, _ string) error {
			_, err := fmt.Fprintln(r.screen.Stdout(), strings.Join(r.live.Names(), " "))
			return err
		}},
		{"open", "", "open the last figure outside the terminal", (*repl).open},
		{"quit", "", "leave; Ctrl-D does too", func(r *repl, _ context.Context, _ string) error {
			r.done = true
			return nil
		}},
		{"reset", "", "forget all values and definitions", func(r *repl, _ context.Context, _ string) error {
			r.live.Reset()
			return nil
		}},
		{"run", "FILE", "run a file of Go here", func(r *repl, ctx context.Context, arg string) error {
			code, err := ram.ReadFile(arg, ram.MaxText)
			if err != nil {
				return err
			}
			return r.live.Eval(ctx, string(code), r.screen)
		}},
		{"save", "FILE", "save the last figure as .png or .svg", (*repl).save},
	}
}

// command runs a command line without its colon.
func (r *repl) command(ctx context.Context, line string) error {
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	var near []string
	for _, c := range commands() {
		if c.name == name {
			return c.run(r, ctx, strings.TrimSpace(arg))
		}
		if name != "" && strings.HasPrefix(c.name, name) {
			near = append(near, ":"+c.name)
		}
	}
	if len(near) > 0 {
		return fmt.Errorf("no command :%s; did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("no command :%s; :help lists them", name)
}

const examples = `Lines are Go. What is left over at the end shows itself; values stay; packages need no import.

  g := must(Toy(1))                        a layered graph; must ends the line on an error
  g                                        draws it
  data := must(All(g, 10000)).Prune()      all its paths
  cfg := DefaultConfig("mlp")
  cfg.Train.Steps = 200
  m := must(Train(data, cfg))              kept below runs/: the same call finds it again
  must(Sample(m, 1000))                    paths, how often they take each edge
  u := must(RandomReward(m.Graph, 4, 0))   rewards of edges; the best path earns 4
  must(Sample(m, 1000, How{Guide: "max", Reward: u}))
  fmt.Println(m.Graph.NumEdges())

`

// help shows examples and names, or what one name is.
func (r *repl) help(_ context.Context, name string) error {
	out := r.screen.Stdout()
	if name != "" {
		text := r.live.Inspect(name, len(name))
		if text == "" {
			return fmt.Errorf("nothing is known about %s", name)
		}
		_, err := fmt.Fprintln(out, text)
		return err
	}
	docs, err := lab.Docs()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(examples)
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-18s %s\n", strings.TrimSpace(":"+c.name+" "+c.args), c.help)
	}
	b.WriteString("  %who, %timeit CODE, %env, %cd       variables; how long the code takes; environment\n")
	b.WriteString("\nFunctions (:help NAME tells more):\n")
	for _, d := range docs {
		if strings.HasPrefix(d.Signature, "func") {
			text := strings.Join(strings.Fields(d.Text), " ")
			if i := strings.Index(text, ". "); i >= 0 {
				text = text[:i+1]
			}
			fmt.Fprintf(&b, "  %-14s %s\n", d.Name, text)
		}
	}
	_, err = out.Write([]byte(b.String()))
	return err
}

func (r *repl) showHistory(_ context.Context, text string) error {
	for _, l := range r.history.find(text) {
		if _, err := fmt.Fprintln(r.screen.Stdout(), strings.ReplaceAll(l, "\n", "\n  ")); err != nil {
			return err
		}
	}
	return nil
}

var errNoFigure = errors.New("no figure has been shown yet")

func (r *repl) save(_ context.Context, path string) error {
	if r.screen.picture == nil {
		return errNoFigure
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png":
		return atomicfile.WriteFile(path, r.screen.picture, 0o644)
	case ".svg":
		return atomicfile.WriteFile(path, []byte(r.screen.vector), 0o644)
	}
	return fmt.Errorf("%q ends in neither .png nor .svg", path)
}

// open shows the last figure in another program.
func (r *repl) open(ctx context.Context, _ string) error {
	if r.screen.picture == nil {
		return errNoFigure
	}
	f, err := os.CreateTemp("", "ddps-*.png")
	if err != nil {
		return err
	}
	if _, err := f.Write(r.screen.picture); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Fprintln(r.screen.Stdout(), f.Name())
	program := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
	if program == "" {
		program = "xdg-open"
	}
	if err := exec.CommandContext(context.WithoutCancel(ctx), program, f.Name()).Start(); err != nil {
		return fmt.Errorf("no program opens it: %w", err)
	}
	return nil
}
