//go:build unix

package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// helpText is what %ddps help says; the program's own magics follow it.
const helpText = `Cells
  %%live            first line: interpreted, in milliseconds; values stay, the last expression shows itself
  %%                statements from here on, compiled into func main; above it declarations, which stay
  ?name             documentation: ?fmt.Println, ?chain.Fit
  !command          a shell command; if it fails, the cell does
  %%time            first line: how long the cell takes; below %%live also %%timeit, the mean of many times
  %timeit CODE      the same of one line of a live cell
  %%parameters      first line: declarations (var lr = 0.1) for live and compiled cells both; papermill replaces them
  %who              what live cells have defined, with types and sizes
  %%bash, %%script  a cell for another program
  %help             all magics of GoNB, the compiler behind the kernel
  %reset            forget all declarations, compiled and live

%ddps …
  COMMAND ARGS      any command of ddps, as in a terminal: %ddps graph info heights
  help              this text
  version           what the kernel was built from
  doctor            whether this machine can do the work
  runs              run dirs below the module
  artefacts         results that notebooks keep, and what made them
  gc                remove those not used for 30 days: gc --unused 7d --keep 1GiB --dry-run
  clear             clear the cell's output
`

// magic carries out a line %ddps: the kernel's own, one that the program added, or a command of the program.
func (k *kernel) magic(ctx context.Context, args []string, out *screen) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	switch args[0] {
	case "help":
		_, err := io.WriteString(out.Stdout(), helpText+k.magicHelp())
		return err
	case "clear":
		out.Clear(false)
		return nil
	case "runs":
		root := k.Dir
		if module, err := setup.FindModule(k.Dir); err == nil {
			root = module
		}
		return listRuns(root, out.Stdout())
	case "version":
		args = []string{"--version"}
	case "kernel", "repl":
		return errors.New("is for a terminal")
	}
	if m, ok := k.Magics[args[0]]; ok {
		return m.Run(ctx, args[1:], out)
	}
	return k.program(ctx, args, out)
}

func (k *kernel) magicHelp() string {
	var b strings.Builder
	for _, name := range sortedKeys(k.Magics) {
		fmt.Fprintf(&b, "  %-17s %s\n", name, k.Magics[name].Help)
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// program runs the program with arguments, in the notebook's directory. An interrupt reaches it as Ctrl-C would.
func (k *kernel) program(ctx context.Context, args []string, out *screen) error {
	cmd := exec.CommandContext(ctx, k.Program[0], append(k.Program[1:len(k.Program):len(k.Program)], args...)...)
	cmd.Dir = k.Dir
	cmd.Stdout, cmd.Stderr = out.Stdout(), out.Stderr()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = gonb.GraceTime
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return errors.New(exit.ProcessState.String())
		}
		return err
	}
	return nil
}

// listRuns lists the directories below root that hold a run: a config.toml beside a versions.json.
func listRuns(root string, w io.Writer) error {
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		config, err := os.Stat(filepath.Join(path, "config.toml"))
		if err != nil {
			return nil
		}
		if _, err := os.Stat(filepath.Join(path, "versions.json")); err != nil {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found++
		fmt.Fprintf(w, "%s  %s\n", config.ModTime().Format(time.DateTime), rel)
		return fs.SkipDir
	})
	if found == 0 && err == nil {
		_, err = fmt.Fprintf(w, "no run directories below %s; %%ddps train makes one\n", root)
	}
	return err
}

// document returns the documentation of a name: the live session's word, what a compiled cell declares, or go doc's. Of
// what packages have, go doc knows more than the session.
func (k *kernel) document(ctx context.Context, name string) (string, error) {
	short := ""
	if live, err := k.live(); err == nil {
		short = live.Inspect(name, len(name))
	}
	known := strings.HasPrefix(short, "func "+name) || strings.HasPrefix(short, "type "+name) ||
		strings.HasPrefix(short, "package ")
	if short != "" && !(known && strings.ContainsAny(name, ".")) {
		return short, nil
	}
	if text := k.history.Declared(cells.New(""))[name]; text != "" && short == "" {
		return text, nil
	}
	text, err := k.goDoc(ctx, name)
	if err != nil && short != "" {
		return short, nil
	}
	return text, err
}

// goDoc asks go doc.
func (k *kernel) goDoc(ctx context.Context, name string) (string, error) {
	goTool := k.Go
	if goTool == "" {
		goTool = setup.FindGo()
	}
	if goTool == "" {
		return "", errors.New("there is no go command to ask")
	}
	cmd := exec.CommandContext(ctx, goTool, "doc", name)
	cmd.Dir = k.Dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("?%s: no cell declares it, and go doc does not know it", name)
	}
	return string(text), nil
}
