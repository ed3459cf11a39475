package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// client is a front end without a face: it starts a kernel as Jupyter would and has it run cells. The benchmark, the
// warming of the build cache and the tests use it.
type client struct {
	cmd     *exec.Cmd
	folder  string
	conn    connection
	sign    *signer
	session string

	shell, control, iopub, stdin zmq4.Socket
	cancel                       context.CancelFunc

	mu      sync.Mutex
	replies map[string]*message
	output  []*message
	more    *sync.Cond
}

// dial connects to a kernel.
func dial(conn connection) (*client, error) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &client{conn: conn, sign: newSigner(conn.Key), session: newID(), cancel: cancel, replies: map[string]*message{}}
	c.more = sync.NewCond(&c.mu)
	options := []zmq4.Option{zmq4.WithID(zmq4.SocketIdentity(c.session)), zmq4.WithDialerRetry(2 * time.Millisecond),
		zmq4.WithDialerMaxRetries(5000)}
	c.shell, c.control, c.stdin = zmq4.NewDealer(ctx, options...), zmq4.NewDealer(ctx, options...), zmq4.NewDealer(ctx, options...)
	c.iopub = zmq4.NewSub(ctx, options...)
	for _, s := range []struct {
		socket zmq4.Socket
		port   int
	}{{c.iopub, conn.IOPub}, {c.shell, conn.Shell}, {c.control, conn.Control}, {c.stdin, conn.Stdin}} {
		network, address, err := conn.address(s.port)
		if err != nil {
			return nil, err
		}
		if network == "unix" {
			network = "ipc"
		}
		if err := s.socket.Dial(network + "://" + address); err != nil {
			cancel()
			return nil, err
		}
		if s.socket == c.iopub {
			c.iopub.SetOption(zmq4.OptionSubscribe, "")
		}
	}
	for _, s := range []zmq4.Socket{c.shell, c.control, c.iopub} {
		go c.pump(s)
	}
	if err := c.wait(time.Minute, c.welcome); err != nil { // what is broadcast before is lost
		cancel()
		return nil, err
	}
	return c, nil
}

// welcome tells whether the kernel knows that it is heard.
func (c *client) welcome() bool {
	return slices.ContainsFunc(c.output, func(m *message) bool { return m.kind() == "iopub_welcome" })
}

// pump gathers what the kernel says.
func (c *client) pump(s zmq4.Socket) {
	for {
		msg, err := s.Recv()
		if err != nil {
			return
		}
		m, signature, err := split(msg.Frames)
		if err != nil || len(c.sign.key) > 0 && string(signature) != string(c.sign.sign(m.rawHeader, m.parent, m.metadata, m.content)) {
			continue
		}
		c.mu.Lock()
		if s == c.iopub {
			c.output = append(c.output, m)
		} else {
			c.replies[m.parentID()] = m
		}
		c.more.Broadcast()
		c.mu.Unlock()
	}
}

// send sends a request and returns its id.
func (c *client) send(s zmq4.Socket, kind string, content any) (string, error) {
	m := compose(c.session, kind, nil, content)
	return m.header.MsgID, s.SendMulti(zmq4.NewMsgFrom(c.sign.seal(m)...))
}

var errSilent = errors.New("the kernel does not answer")

// wait blocks until done, called with the lock held, is true.
func (c *client) wait(limit time.Duration, done func() bool) error {
	late := false
	timer := time.AfterFunc(limit, func() {
		c.mu.Lock()
		late = true
		c.more.Broadcast()
		c.mu.Unlock()
	})
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !done() {
		if late {
			return errSilent
		}
		c.more.Wait()
	}
	return nil
}

// result is the reply to a request and all that was broadcast about it, without statuses.
type result struct {
	reply  *message
	output []*message
}

// collect waits for the reply to a request and for the kernel to be idle after it.
func (c *client) collect(id string, limit time.Duration) (result, error) {
	var r result
	err := c.wait(limit, func() bool { return c.replies[id] != nil && c.idle(id) })
	if err != nil {
		return r, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.reply = c.replies[id]
	delete(c.replies, id)
	keep := c.output[:0:0]
	for _, m := range c.output {
		switch {
		case m.parentID() != id:
			keep = append(keep, m)
		case m.kind() != "status":
			r.output = append(r.output, m)
		}
	}
	c.output = keep
	return r, nil
}

func (c *client) idle(id string) bool {
	for _, m := range c.output {
		if m.kind() == "status" && m.parentID() == id && strings.Contains(string(m.content), `"idle"`) {
			return true
		}
	}
	return false
}

// ask sends a request to the shell and collects what comes of it.
func (c *client) ask(kind string, content any, limit time.Duration) (result, error) {
	id, err := c.send(c.shell, kind, content)
	if err != nil {
		return result{}, err
	}
	return c.collect(id, limit)
}

// run runs a cell; one that fails is an error.
func (c *client) run(code string, limit time.Duration) (result, error) {
	r, err := c.ask("execute_request", executeRequest{Code: code}.whole(), limit)
	if err != nil {
		return r, err
	}
	var f struct {
		Status string `json:"status"`
		failure
	}
	if err := json.Unmarshal(r.reply.content, &f); err != nil {
		return r, err
	}
	if f.Status != "ok" {
		return r, fmt.Errorf("%s: %s", f.Name, f.Value)
	}
	return r, nil
}

// startKernel starts a kernel in dir by a command line, to which the connection file is added, and connects. What it
// logs goes to standard error.
func startKernel(command []string, dir string) (*client, error) {
	folder, err := os.MkdirTemp("", "ddps-front-")
	if err != nil {
		return nil, err
	}
	conn := connection{Transport: "tcp", IP: "127.0.0.1", Key: newID(), Scheme: "hmac-sha256"}
	var held []net.Listener
	for _, port := range []*int{&conn.Shell, &conn.Control, &conn.Stdin, &conn.IOPub, &conn.Heartbeat} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		*port = l.Addr().(*net.TCPAddr).Port
		held = append(held, l)
	}
	for _, l := range held { // not before all ports are drawn
		l.Close()
	}
	file := filepath.Join(folder, "kernel-"+newID()+".json")
	if err := os.WriteFile(file, toJSON(conn), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], file)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c, err := dial(conn)
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(folder)
		return nil, err
	}
	c.cmd, c.folder = cmd, folder
	return c, nil
}

// close asks the kernel to shut down and waits for its end, for at most ten seconds.
func (c *client) close() error {
	defer os.RemoveAll(c.folder)
	defer c.cancel()
	if _, err := c.send(c.control, "shutdown_request", map[string]any{"restart": false}); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		c.cmd.Process.Kill()
		return errors.New("the kernel did not end")
	}
}
