//go:build unix

package gonb

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// Launch is what it takes to start a compiler.
type Launch struct {
	Scratch *Scratch
	Tools   setup.Tools
	Module  string // the directory of go.mod
	Dir     string // the notebook's
	Id      string // Jupyter's id of the kernel, "" if not known
	Key     string
}

// spawn starts the process, as the leader of a group that the directory's guard knows.
func (g *Compiler) spawn(l Launch, file string) error {
	log, err := os.OpenFile(l.Scratch.In("gonb.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	g.cmd = exec.Command(l.Tools.GoNB, "-kernel", file, "-go_work="+l.Module, "-raw_error")
	g.cmd.Dir = l.Dir
	g.cmd.Stdout, g.cmd.Stderr = log, log
	g.cmd.Env = l.environ(os.Environ())
	g.cmd.SysProcAttr = ownGroup()
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // Linux ends the process when the thread ends that began it
		defer runtime.UnlockOSThread()
		err := g.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		g.err = g.cmd.Wait()
		if g.err == nil {
			g.err = errors.New("it left")
		}
		close(g.Gone)
	}()
	if err := <-started; err != nil {
		close(g.Gone)
		return fmt.Errorf("the compiler behind the kernel, GoNB: %w", err)
	}
	l.Scratch.watch(g.cmd.Process.Pid)
	return nil
}

// environ is GoNB's environment: the kernel's scripts and the tools first in PATH, TMPDIR in the directory, and none of
// the settings of Go that a workspace cannot bear.
func (l Launch) environ(env []string) []string {
	drop := map[string]bool{"PATH": true, "TMPDIR": true, "GOFLAGS": true, "GOWORK": true, "PWD": true}
	out := []string{}
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); !drop[name] {
			out = append(out, e)
		}
	}
	path := []string{l.Scratch.In("bin"), filepath.Dir(l.Tools.GoImports), filepath.Dir(l.Tools.Go)}
	return append(out,
		"PATH="+strings.Join(append(path, os.Getenv("PATH")), string(os.PathListSeparator)),
		"TMPDIR="+l.Scratch.path, "PWD="+l.Dir, "GOFLAGS="+setup.CellFlags(os.Getenv("GOFLAGS")),
		envTmp+"="+os.Getenv("TMPDIR"), envLedger+"="+l.Scratch.Journal(), kernelext.EnvControls+"="+l.Scratch.Controls(),
		envMark+"="+l.Mark())
}

// Mark is what the shim writes before the text of a crash.
func (l Launch) Mark() string { return "\x02" + filepath.Base(l.Scratch.path) + "\x03" }
