//go:build unix

package gonb

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// crashText passes standard error on and holds back what looks like the beginning of a crash, until it is certain.
type crashText struct {
	w    io.Writer
	mark string

	mu    sync.Mutex
	begun bool // not at the start of a line
	held  []byte
	timer *time.Timer
}

// How long text is held back from a program that goes on living: what anybody may write, and what the runtime writes.
// It may take a while over the traces of a stack that has overflowed.
const (
	maxHold     = 3 * time.Second
	maxHoldLong = time.Minute
)

// crashStarts begin the text of a Go program's crash.
var crashStarts = []struct {
	text []byte
	hold time.Duration
}{{[]byte("panic: "), maxHold}, {[]byte("fatal error: "), maxHoldLong}, {[]byte("runtime: goroutine stack exceeds"),
	maxHoldLong},
	{[]byte("unexpected fault address "), maxHoldLong}}

// Write passes p on or keeps it.
func (c *crashText) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != nil {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	at, hold := c.start(p)
	if at > 0 {
		if _, err := c.w.Write(p[:at]); err != nil {
			return 0, err
		}
		c.begun = p[at-1] != '\n'
	}
	if at < len(p) {
		c.held = append([]byte{}, p[at:]...)
		c.timer = time.AfterFunc(hold, func() { c.close(false) })
	}
	return len(p), nil
}

// start returns where in p a crash begins and how long to hold it; len(p) if nowhere. The runtime writes the first word
// in one piece.
func (c *crashText) start(p []byte) (at int, hold time.Duration) {
	for at, begun := 0, c.begun; at < len(p); begun = false {
		if !begun {
			for _, s := range crashStarts {
				if bytes.HasPrefix(p[at:], s.text) {
					return at, s.hold
				}
			}
		}
		next := bytes.IndexByte(p[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return len(p), 0
}

// close lets go of what is held, as a crash or as plain text, and reports whether it was a crash.
func (c *crashText) close(crash bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
	if len(c.held) == 0 {
		return false
	}
	text := c.held
	if crash {
		text = append([]byte(c.mark), text...)
	}
	c.held, c.begun = nil, text[len(text)-1] != '\n'
	c.w.Write(text)
	return crash
}
