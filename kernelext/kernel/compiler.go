//go:build unix

package kernel

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
)

// compiler is a GoNB process and the kernel's private connection to it, over sockets in the kernel's folder. Messages
// keep the front end's identities and the key, so that what GoNB says can be handed on as it is.
type compiler struct {
	cmd    *exec.Cmd
	shell  zmq4.Socket
	stdin  zmq4.Socket
	iopub  zmq4.Socket
	cancel context.CancelFunc
	gone   chan struct{} // closed when the process ended
	err    error         // why, once gone
	began  time.Time
	mark   string // that the shim writes before the text of a crash
	module string // the folder of go.mod
	goTool string

	send sync.Mutex
}

// ourselves is the identity under which GoNB knows the kernel, on shell and stdin alike.
const ourselves = "ddps"

// launch is what it takes to start a compiler.
type launch struct {
	folder *folder
	tools  Tools
	module string // the folder of go.mod
	dir    string // the notebook's
	id     string // Jupyter's id of the kernel, "" if not known
	key    string
}

// startCompiler starts GoNB and waits until it answers. fromShell, fromStdin and fromIOPub get what it says, without
// the first identity, ours.
func startCompiler(ctx context.Context, l launch, sign *signer, fromShell, fromStdin, fromIOPub func(*message)) (*compiler, error) {
	l.folder.sweep()
	if err := l.folder.scripts(l.tools); err != nil {
		return nil, err
	}
	name := "kernel-" + l.id + ".json"
	file := l.folder.in(name)
	c := connection{Transport: "ipc", IP: l.folder.in("s"), Shell: 1, Control: 2, Stdin: 3, IOPub: 4, Heartbeat: 5, Key: l.key,
		Scheme: "hmac-sha256"}
	if err := os.WriteFile(file, toJSON(c), 0o600); err != nil {
		return nil, err
	}
	live, cancel := context.WithCancel(context.Background())
	g := &compiler{cancel: cancel, gone: make(chan struct{}), began: time.Now()}
	if err := g.spawn(l, file); err != nil {
		cancel()
		return nil, err
	}
	if err := g.connect(ctx, live, c); err != nil {
		g.end()
		return nil, g.explain(l, err)
	}
	heard := make(chan struct{})
	go g.pump(g.shell, fromShell, func() {})
	go g.pump(g.stdin, fromStdin, func() {})
	go g.pump(g.iopub, func(m *message) { m.ids = m.ids[min(1, len(m.ids)):]; fromIOPub(m) }, sync.OnceFunc(func() { close(heard) }))
	if err := g.greet(ctx, sign, heard); err != nil {
		g.end()
		return nil, g.explain(l, err)
	}
	return g, nil
}

// greeting is the identity under which the kernel asks whether GoNB is there; what answers it goes no further.
const greeting = "hello"

// pump hands on what GoNB says on a socket; an answer to a greeting is only noted.
func (g *compiler) pump(s zmq4.Socket, to func(*message), greeted func()) {
	for {
		msg, err := s.Recv()
		if err != nil {
			return
		}
		m, _, err := split(msg.Frames)
		switch {
		case err != nil:
		case len(m.ids) > 0 && string(m.ids[len(m.ids)-1]) == greeting:
			greeted()
		default:
			to(m)
		}
	}
}

// greet asks until GoNB is heard on iopub, where the first words after a subscription are lost.
func (g *compiler) greet(ctx context.Context, sign *signer, heard <-chan struct{}) error {
	for {
		hello := compose(newID(), "kernel_info_request", nil, map[string]any{})
		hello.ids = [][]byte{[]byte(greeting)}
		if err := g.ask(sign.seal(hello)); err != nil {
			return err
		}
		select {
		case <-heard:
			return nil
		case <-g.gone:
			return g.err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// spawn starts the process, as the leader of a group that the folder's guard knows.
func (g *compiler) spawn(l launch, file string) error {
	log, err := os.OpenFile(l.folder.in("gonb.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	g.cmd = exec.Command(l.tools.GoNB, "-kernel", file, "-go_work="+l.module, "-raw_error")
	g.cmd.Dir = l.dir
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
		close(g.gone)
	}()
	if err := <-started; err != nil {
		close(g.gone)
		return fmt.Errorf("the compiler behind the kernel, GoNB: %w", err)
	}
	l.folder.watch(g.cmd.Process.Pid)
	return nil
}

// environ is GoNB's environment: the kernel's scripts and the tools first in PATH, TMPDIR in the folder, and none of
// the settings of Go that a workspace cannot bear.
func (l launch) environ(env []string) []string {
	drop := map[string]bool{"PATH": true, "TMPDIR": true, "GOFLAGS": true, "GOWORK": true, "PWD": true}
	out := []string{}
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); !drop[name] {
			out = append(out, e)
		}
	}
	path := []string{l.folder.in("bin"), filepath.Dir(l.tools.GoImports), filepath.Dir(l.tools.Go)}
	return append(out,
		"PATH="+strings.Join(append(path, os.Getenv("PATH")), string(os.PathListSeparator)),
		"TMPDIR="+l.folder.path, "PWD="+l.dir, "GOFLAGS="+cellFlags(os.Getenv("GOFLAGS")),
		envTmp+"="+os.Getenv("TMPDIR"), envLedger+"="+l.folder.ledger(), kernelext.EnvControls+"="+l.folder.controls(), envMark+"="+l.mark())
}

// mark is what the shim writes before the text of a crash.
func (l launch) mark() string { return "\x02" + filepath.Base(l.folder.path) + "\x03" }

// connect dials GoNB's sockets as soon as they are there.
func (g *compiler) connect(ctx, live context.Context, c connection) error {
	for path := fmt.Sprintf("%s-%d", c.IP, c.Heartbeat); ; { // the last that it binds
		if _, err := os.Stat(path); err == nil {
			break
		}
		select {
		case <-g.gone:
			return g.err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
	options := []zmq4.Option{zmq4.WithID(zmq4.SocketIdentity(ourselves)), zmq4.WithDialerRetry(5 * time.Millisecond)}
	g.shell, g.stdin, g.iopub = zmq4.NewDealer(live, options...), zmq4.NewDealer(live, options...), zmq4.NewSub(live, options...)
	for port, s := range map[int]zmq4.Socket{c.Shell: g.shell, c.Stdin: g.stdin, c.IOPub: g.iopub} {
		if err := s.Dial(fmt.Sprintf("ipc://%s-%d", c.IP, port)); err != nil {
			return err
		}
	}
	return g.iopub.SetOption(zmq4.OptionSubscribe, "")
}

func (g *compiler) alive() bool {
	select {
	case <-g.gone:
		return false
	default:
		return true
	}
}

// ask sends frames to GoNB's shell, input to its stdin.
func (g *compiler) ask(frames [][]byte) error {
	g.send.Lock()
	defer g.send.Unlock()
	return g.shell.SendMulti(zmq4.NewMsgFrom(frames...))
}

func (g *compiler) input(frames [][]byte) error {
	g.send.Lock()
	defer g.send.Unlock()
	return g.stdin.SendMulti(zmq4.NewMsgFrom(frames...))
}

// interrupt ends what the cell runs, or the build of it.
func (g *compiler) interrupt(f *folder) {
	syscall.Kill(g.cmd.Process.Pid, syscall.SIGINT)
	data, err := os.ReadFile(f.in("building"))
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && pid > 1 {
		syscall.Kill(pid, syscall.SIGINT)
	}
}

// end ends GoNB and all that it runs.
func (g *compiler) end() {
	if g.cmd.Process != nil {
		endGroup(g.cmd.Process.Pid)
		<-g.gone
	}
	g.cancel()
	for _, s := range []zmq4.Socket{g.shell, g.stdin, g.iopub} {
		if s != nil {
			s.Close()
		}
	}
}

// explain adds the end of GoNB's log to an error.
func (g *compiler) explain(l launch, err error) error {
	data, _ := os.ReadFile(l.folder.in("gonb.log"))
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	lines = lines[max(0, len(lines)-8):]
	return fmt.Errorf("the compiler behind the kernel, GoNB, did not start: %w\n%s", err, strings.Join(lines, "\n"))
}
