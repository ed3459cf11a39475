package jupyter

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
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
