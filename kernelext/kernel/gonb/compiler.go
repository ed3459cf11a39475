//go:build unix

package gonb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// Compiler is a GoNB process and the kernel's private connection to it, over sockets in the kernel's directory.
// Messages keep the front end's identities and the key, so that what GoNB says can be handed on as it is.
type Compiler struct {
	cmd    *exec.Cmd
	shell  zmq4.Socket
	stdin  zmq4.Socket
	iopub  zmq4.Socket
	cancel context.CancelFunc
	Gone   chan struct{} // closed when the process ended
	err    error         // why, once gone
	Began  time.Time
	Mark   string // that the shim writes before the text of a crash
	Module string // the directory of go.mod
	GoTool string

	send sync.Mutex
}

// ourselves is the identity under which GoNB knows the kernel, on shell and stdin alike.
const ourselves = "ddps"

// Launch is what it takes to start a compiler.
type Launch struct {
	Scratch *Scratch
	Tools   setup.Tools
	Module  string // the directory of go.mod
	Dir     string // the notebook's
	Id      string // Jupyter's id of the kernel, "" if not known
	Key     string
}

// StartCompiler starts GoNB and waits until it answers. fromShell, fromStdin and fromIOPub get what it says, without
// the first identity, ours.
func StartCompiler(ctx context.Context, l Launch, sign *jupyter.Signer, fromShell, fromStdin,
	fromIOPub func(*jupyter.Message)) (*Compiler, error) {
	l.Scratch.sweep()
	if err := l.Scratch.scripts(l.Tools); err != nil {
		return nil, err
	}
	name := "kernel-" + l.Id + ".json"
	file := l.Scratch.In(name)
	c := jupyter.Connection{Transport: "ipc", IP: l.Scratch.In("s"), Shell: 1, Control: 2, Stdin: 3, IOPub: 4,
		Heartbeat: 5, Key: l.Key, Scheme: "hmac-sha256"}
	if err := os.WriteFile(file, jupyter.ToJSON(c), 0o600); err != nil {
		return nil, err
	}
	live, cancel := context.WithCancel(context.Background())
	g := &Compiler{cancel: cancel, Gone: make(chan struct{}), Began: time.Now()}
	if err := g.spawn(l, file); err != nil {
		cancel()
		return nil, err
	}
	if err := g.connect(ctx, live, c); err != nil {
		g.End()
		return nil, g.explain(l, err)
	}
	heard := make(chan struct{})
	go g.pump(g.shell, fromShell, func() {})
	go g.pump(g.stdin, fromStdin, func() {})
	go g.pump(g.iopub, func(m *jupyter.Message) { m.Ids = m.Ids[min(1, len(m.Ids)):]; fromIOPub(m) },
		sync.OnceFunc(func() { close(heard) }))
	if err := g.greet(ctx, sign, heard); err != nil {
		g.End()
		return nil, g.explain(l, err)
	}
	return g, nil
}

// greeting is the identity under which the kernel asks whether GoNB is there; what answers it goes no further.
const greeting = "hello"

// pump hands on what GoNB says on a socket; an answer to a greeting is only noted.
func (g *Compiler) pump(s zmq4.Socket, to func(*jupyter.Message), greeted func()) {
	for {
		msg, err := s.Recv()
		if err != nil {
			return
		}
		m, _, err := jupyter.Split(msg.Frames)
		switch {
		case err != nil:
		case len(m.Ids) > 0 && string(m.Ids[len(m.Ids)-1]) == greeting:
			greeted()
		default:
			to(m)
		}
	}
}

// greet asks until GoNB is heard on iopub, where the first words after a subscription are lost.
func (g *Compiler) greet(ctx context.Context, sign *jupyter.Signer, heard <-chan struct{}) error {
	for {
		hello := jupyter.Compose(jupyter.NewID(), "kernel_info_request", nil, map[string]any{})
		hello.Ids = [][]byte{[]byte(greeting)}
		if err := g.Ask(sign.Seal(hello)); err != nil {
			return err
		}
		select {
		case <-heard:
			return nil
		case <-g.Gone:
			return g.err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
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

// connect dials GoNB's sockets as soon as they are there.
func (g *Compiler) connect(ctx, live context.Context, c jupyter.Connection) error {
	for path := fmt.Sprintf("%s-%d", c.IP, c.Heartbeat); ; { // the last that it binds
		if _, err := os.Stat(path); err == nil {
			break
		}
		select {
		case <-g.Gone:
			return g.err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
	options := []zmq4.Option{zmq4.WithID(zmq4.SocketIdentity(ourselves)), zmq4.WithDialerRetry(5 * time.Millisecond)}
	g.shell, g.stdin, g.iopub = zmq4.NewDealer(live, options...), zmq4.NewDealer(live, options...),
		zmq4.NewSub(live, options...)
	for port, s := range map[int]zmq4.Socket{c.Shell: g.shell, c.Stdin: g.stdin, c.IOPub: g.iopub} {
		if err := s.Dial(fmt.Sprintf("ipc://%s-%d", c.IP, port)); err != nil {
			return err
		}
	}
	return g.iopub.SetOption(zmq4.OptionSubscribe, "")
}

// Alive reports whether the compiler runs.
func (g *Compiler) Alive() bool {
	select {
	case <-g.Gone:
		return false
	default:
		return true
	}
}

// Ask sends frames to GoNB's shell, input to its stdin.
func (g *Compiler) Ask(frames [][]byte) error {
	g.send.Lock()
	defer g.send.Unlock()
	return g.shell.SendMulti(zmq4.NewMsgFrom(frames...))
}

// Input hands GoNB what the user typed, the frames of an input_reply.
func (g *Compiler) Input(frames [][]byte) error {
	g.send.Lock()
	defer g.send.Unlock()
	return g.stdin.SendMulti(zmq4.NewMsgFrom(frames...))
}

// Interrupt ends what the cell runs, or the build of it.
func (g *Compiler) Interrupt(f *Scratch) {
	syscall.Kill(g.cmd.Process.Pid, syscall.SIGINT)
	data, err := os.ReadFile(f.In("building"))
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && pid > 1 {
		syscall.Kill(pid, syscall.SIGINT)
	}
}

// End ends GoNB and all that it runs.
func (g *Compiler) End() {
	if g.cmd.Process != nil {
		endGroup(g.cmd.Process.Pid)
		<-g.Gone
	}
	g.cancel()
	for _, s := range []zmq4.Socket{g.shell, g.stdin, g.iopub} {
		if s != nil {
			s.Close()
		}
	}
}

// explain adds the end of GoNB's log to an error.
func (g *Compiler) explain(l Launch, err error) error {
	data, _ := os.ReadFile(l.Scratch.In("gonb.log"))
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	lines = lines[max(0, len(lines)-8):]
	return fmt.Errorf("the compiler behind the kernel, GoNB, did not start: %w\n%s", err, strings.Join(lines, "\n"))
}
