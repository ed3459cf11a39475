//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

var errNoInput = errors.New("no input: this front end does not let a cell read what is typed")

// ReadLine has the front end show a line to type, and returns what is typed.
func (s *screen) ReadLine(ctx context.Context) (string, error) {
	if s.parent == nil || !s.typing {
		return "", errNoInput
	}
	s.flush()
	typed := make(chan string, 1)
	s.k.mu.Lock()
	s.k.typed = typed
	s.k.mu.Unlock()
	defer func() {
		s.k.mu.Lock()
		s.k.typed = nil
		s.k.mu.Unlock()
	}()
	// a front end's socket for input may connect after the one that its cells come by
	for !s.k.reply(s.k.stdin, "input_request", s.parent, map[string]any{"prompt": "", "password": false}) {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	select {
	case line := <-typed:
		if line == "\x04" { // as jupyter console sends Ctrl-D
			return "", io.EOF
		}
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// onInput hands what the user typed to the live cell that waits for it, or to GoNB.
func (k *kernel) onInput(m *jupyter.Message) {
	if m.Kind() != "input_reply" {
		return
	}
	k.mu.Lock()
	typed := k.typed
	k.typed = nil
	k.mu.Unlock()
	if typed != nil {
		var content struct{ Value string }
		if err := json.Unmarshal(m.Content, &content); err != nil {
			k.log.Printf("input: %v", err)
		}
		typed <- content.Value
		return
	}
	if g := k.compilerNow(); g != nil {
		if err := g.Input(k.sign.Seal(m)); err != nil {
			k.log.Printf("input: %v", err)
		}
	}
}
