//go:build unix

package gonb

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
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
