package jupyter

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

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
