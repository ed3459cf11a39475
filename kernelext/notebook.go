package kernelext

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// resultMIME marks a bundle as the cell's value for the kernel.
const resultMIME = "application/vnd.ddps.result"

// notebook is the Output of a compiled cell.
type notebook struct{}

// Notebook returns the Output of the program: a compiled cell's under GoNB, and standard output elsewhere, where
// bundles show as text.
func Notebook() Output {
	if gonbui.IsNotebook {
		return notebook{}
	}
	return NewPlain(os.Stdout, os.Stderr)
}

// Stdout is the program's.
func (notebook) Stdout() io.Writer { return os.Stdout }

// Stderr is the program's.
func (notebook) Stderr() io.Writer { return os.Stderr }

// Display hands a bundle to the kernel.
func (notebook) Display(data, metadata map[string]any, id string, _ bool) { // GoNB tells the first of an id
	m := map[protocol.MIMEType]any{}
	for k, v := range data {
		if s, ok := v.(string); ok && k == MIMEPNG { // it encodes bytes itself
			if b, err := base64.StdEncoding.DecodeString(s); err == nil {
				v = b
			}
		}
		m[protocol.MIMEType(k)] = v
	}
	gonbui.SendData(&protocol.DisplayData{Data: m, Metadata: metadata, DisplayID: id})
	gonbui.Sync() // the cell may end next
}

// Result hands a bundle to the kernel with the mark of a value.
func (n notebook) Result(data, metadata map[string]any) {
	marked := map[string]any{resultMIME: true}
	for k, v := range data {
		marked[k] = v
	}
	n.Display(marked, metadata, "", false)
}

// Listen calls f with what a page sends to the address, until stop.
func (notebook) Listen(address string, f func(text string)) (stop func()) {
	return ListenToKernel(address, f)
}

// ListenToKernel has f called with what comes to an address, as Page says; without the DDPS kernel nothing does.
func ListenToKernel(address string, f func(text string)) (stop func()) {
	conn, err := net.Dial("unix", os.Getenv(EnvControls))
	if err != nil {
		return func() {}
	}
	texts := json.NewDecoder(conn)
	next := func() bool {
		var text string
		if texts.Decode(&text) != nil {
			return false
		}
		f(text)
		return true
	}
	conn.SetDeadline(time.Now().Add(answer))
	if json.NewEncoder(conn).Encode(address) != nil || !next() { // from here on the kernel knows the address
		conn.Close()
		return func() {}
	}
	conn.SetDeadline(time.Time{})
	go func() {
		for next() {
		}
	}()
	return func() { conn.Close() }
}

// plain is an Output of two streams.
type plain struct {
	mu       sync.Mutex
	out, err io.Writer
}

// NewPlain returns an Output that writes bundles as text to out. What replaces something is left out, but the first
// is not: a bar of progress is one line.
func NewPlain(out, err io.Writer) Output { return &plain{out: out, err: err} }

// Stdout is the first of the streams.
func (p *plain) Stdout() io.Writer { return locked{&p.mu, p.out} }

// Stderr is the second.
func (p *plain) Stderr() io.Writer { return locked{&p.mu, p.err} }

// Display writes a bundle's text.
func (p *plain) Display(data, _ map[string]any, _ string, update bool) {
	if !update {
		fmt.Fprintln(p.Stdout(), data[MIMEText])
	}
}

// Result writes a bundle's text.
func (p *plain) Result(data, metadata map[string]any) { p.Display(data, metadata, "", false) }

type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

// Write writes while the lock is held.
func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
