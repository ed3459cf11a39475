package jupyter

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

// Client is a front end without a face: it starts a kernel as Jupyter would and has it run cells. The benchmark, the
// warming of the build cache and the tests use it.
type Client struct {
	Cmd     *exec.Cmd
	Scratch string
	Conn    Connection
	Sign    *Signer
	Session string

	Shell, Control, iopub, stdin zmq4.Socket
	Cancel                       context.CancelFunc
	// what to type where the kernel wants input; set before Dial's client runs cells
	Type func() string

	mu      sync.Mutex
	Replies map[string]*Message
	Output  []*Message
	more    *sync.Cond
}

// Dial connects to a kernel.
func Dial(conn Connection) (*Client, error) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{Conn: conn, Sign: NewSigner(conn.Key), Session: NewID(), Cancel: cancel, Replies: map[string]*Message{}}
	c.more = sync.NewCond(&c.mu)
	options := []zmq4.Option{zmq4.WithID(zmq4.SocketIdentity(c.Session)), zmq4.WithDialerRetry(2 * time.Millisecond),
		zmq4.WithDialerMaxRetries(5000)}
	c.Shell, c.Control, c.stdin = zmq4.NewDealer(ctx, options...), zmq4.NewDealer(ctx, options...),
		zmq4.NewDealer(ctx, options...)
	c.iopub = zmq4.NewSub(ctx, options...)
	for _, s := range []struct {
		socket zmq4.Socket
		port   int
	}{{c.iopub, conn.IOPub}, {c.Shell, conn.Shell}, {c.Control, conn.Control}, {c.stdin, conn.Stdin}} {
		network, address, err := conn.Address(s.port)
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
	for _, s := range []zmq4.Socket{c.Shell, c.Control, c.iopub, c.stdin} {
		go c.pump(s)
	}
	if err := c.Wait(time.Minute, c.welcome); err != nil { // what is broadcast before is lost
		cancel()
		return nil, err
	}
	return c, nil
}

// welcome reports whether the kernel knows that it is heard.
func (c *Client) welcome() bool {
	return slices.ContainsFunc(c.Output, func(m *Message) bool { return m.Kind() == "iopub_welcome" })
}

// pump gathers what the kernel says.
func (c *Client) pump(s zmq4.Socket) {
	for {
		msg, err := s.Recv()
		if err != nil {
			return
		}
		m, signature, err := Split(msg.Frames)
		if err != nil || len(c.Sign.key) > 0 && string(signature) != string(c.Sign.sign(m.rawHeader, m.parent, m.Metadata,
			m.Content)) {
			continue
		}
		c.mu.Lock()
		switch {
		case s == c.iopub:
			c.Output = append(c.Output, m)
		case s == c.stdin:
			if c.Type != nil {
				go func() {
					// nolint:errcheck // none answers then
					c.Send(c.stdin, "input_reply", map[string]any{"status": "ok", "value": c.Type()})
				}()
			}
		default:
			c.Replies[m.ParentID()] = m
		}
		c.more.Broadcast()
		c.mu.Unlock()
	}
}

// Send sends a request and returns its id.
func (c *Client) Send(s zmq4.Socket, kind string, content any) (string, error) {
	m := Compose(c.Session, kind, nil, content)
	return m.Header.MsgID, s.SendMulti(zmq4.NewMsgFrom(c.Sign.Seal(m)...))
}

var errSilent = errors.New("the kernel does not answer")

// Wait blocks until done, called with the lock held, is true.
func (c *Client) Wait(limit time.Duration, done func() bool) error {
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
	Reply  *Message
	Output []*Message
}

// Collect waits for the reply to a request and for the kernel to be idle after it.
func (c *Client) Collect(id string, limit time.Duration) (result, error) {
	var r result
	err := c.Wait(limit, func() bool { return c.Replies[id] != nil && c.idle(id) })
	if err != nil {
		return r, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.Reply = c.Replies[id]
	delete(c.Replies, id)
	keep := c.Output[:0:0]
	for _, m := range c.Output {
		switch {
		case m.ParentID() != id:
			keep = append(keep, m)
		case m.Kind() != "status":
			r.Output = append(r.Output, m)
		}
	}
	c.Output = keep
	return r, nil
}

func (c *Client) idle(id string) bool {
	for _, m := range c.Output {
		if m.Kind() == "status" && m.ParentID() == id && strings.Contains(string(m.Content), `"idle"`) {
			return true
		}
	}
	return false
}

// Ask sends a request to the shell and collects what comes of it.
func (c *Client) Ask(kind string, content any, limit time.Duration) (result, error) {
	id, err := c.Send(c.Shell, kind, content)
	if err != nil {
		return result{}, err
	}
	return c.Collect(id, limit)
}

// Run runs a cell; one that fails is an error.
func (c *Client) Run(code string, limit time.Duration) (result, error) {
	r, err := c.Ask("execute_request", ExecuteRequest{Code: code}.Whole(), limit)
	if err != nil {
		return r, err
	}
	var f struct {
		Status string `json:"status"`
		Failure
	}
	if err := json.Unmarshal(r.Reply.Content, &f); err != nil {
		return r, err
	}
	if f.Status != "ok" {
		return r, fmt.Errorf("%s: %s", f.Name, f.Value)
	}
	return r, nil
}

// StartKernel starts a kernel in dir by a command line, to which the connection file is added, and connects. What it
// logs goes to standard error.
func StartKernel(command []string, dir string) (*Client, error) {
	scratch, err := os.MkdirTemp("", "ddps-front-")
	if err != nil {
		return nil, err
	}
	conn := Connection{Transport: "tcp", IP: "127.0.0.1", Key: NewID(), Scheme: "hmac-sha256"}
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
	file := filepath.Join(scratch, "kernel-"+NewID()+".json")
	if err := os.WriteFile(file, ToJSON(conn), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], file)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c, err := Dial(conn)
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(scratch)
		return nil, err
	}
	c.Cmd, c.Scratch = cmd, scratch
	return c, nil
}

// Close asks the kernel to shut down and waits for its end, for at most ten seconds.
func (c *Client) Close() error {
	defer os.RemoveAll(c.Scratch)
	defer c.Cancel()
	if _, err := c.Send(c.Control, "shutdown_request", map[string]any{"restart": false}); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.Cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		c.Cmd.Process.Kill()
		return errors.New("the kernel did not end")
	}
}
