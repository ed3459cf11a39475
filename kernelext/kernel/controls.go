//go:build unix

package kernel

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

//go:embed page.js
var pageScript string

// controlsTarget is the name by which pages open channels for controls.
const controlsTarget = "ddps"

// controls are what pages of notebooks may send to, by address. The listeners are live cells, and compiled ones over a
// socket of their own, so that both are served while cells run.
type controls struct {
	close func(channel string) // tells the page
	log   func(format string, args ...any)
	ended func(address string) // hears of listeners that end; may be nil
	drawn func() bool          // a page has said that it draws widgets; may be nil

	mu        sync.Mutex
	listeners map[string]*listener
	channels  map[string]string // a page's channel → address
	socket    net.Listener
}

// listener is who hears what comes to an address.
type listener struct {
	cell     string // the front end's name for its cell; "" if it has none
	compiled bool   // it keeps other cells waiting
	tell     func(text string)
}

func newControls(close func(channel string), log func(format string, args ...any)) *controls {
	return &controls{close: close, log: log, listeners: map[string]*listener{}, channels: map[string]string{}}
}

// tell gives the listener at an address what a page says.
func (c *controls) tell(address, text string) {
	c.mu.Lock()
	l := c.listeners[address]
	c.mu.Unlock()
	if l != nil {
		l.tell(text)
	}
}

// listen has l told what comes to an address until stop is called.
func (c *controls) listen(address string, l *listener) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners[address] = l
	return func() { c.end(func(at string, other *listener) bool { return at == address && other == l }) }
}

// end ends the listeners that which tells: they and their pages are told.
func (c *controls) end(which func(address string, l *listener) bool) {
	c.mu.Lock()
	var ended []*listener
	var closed, addresses []string
	for address, l := range c.listeners {
		if !which(address, l) {
			continue
		}
		delete(c.listeners, address)
		ended, addresses = append(ended, l), append(addresses, address)
		for channel, to := range c.channels {
			if to == address {
				delete(c.channels, channel)
				closed = append(closed, channel)
			}
		}
	}
	c.mu.Unlock()
	for _, l := range ended {
		l.tell(kernelext.PageDone)
	}
	for _, channel := range closed {
		c.close(channel)
	}
	for _, address := range addresses {
		if c.ended != nil {
			c.ended(address)
		}
	}
}

// endAll ends all listeners.
func (c *controls) endAll() { c.end(func(string, *listener) bool { return true }) }

// endCell ends those of a cell, which runs anew.
func (c *controls) endCell(cell string) {
	c.end(func(_ string, l *listener) bool { return cell != "" && l.cell == cell })
}

// endLive ends those of live cells.
func (c *controls) endLive() { c.end(func(_ string, l *listener) bool { return !l.compiled }) }

// endCompiled ends those that keep other cells waiting.
func (c *controls) endCompiled() { c.end(func(_ string, l *listener) bool { return l.compiled }) }

// message takes a comm message from a page and reports whether it was about controls.
func (c *controls) message(m *jupyter.Message) bool {
	var content struct {
		Channel string `json:"comm_id"`
		Target  string `json:"target_name"`
		Data    struct {
			Address string `json:"address"`
			Text    string `json:"text"`
		} `json:"data"`
	}
	if json.Unmarshal(m.Content, &content) != nil {
		return false
	}
	text := content.Data.Text
	c.mu.Lock()
	address, ours := c.channels[content.Channel]
	if m.Kind() == "comm_open" && content.Target == controlsTarget {
		address, ours, text = content.Data.Address, true, kernelext.PageReady
	}
	l := c.listeners[address]
	if l != nil && m.Kind() == "comm_open" {
		c.channels[content.Channel] = address
	}
	if m.Kind() == "comm_close" {
		delete(c.channels, content.Channel)
		l = nil
	} else if ours && l == nil {
		defer c.close(content.Channel)
	}
	c.mu.Unlock()
	if ours && l != nil {
		l.tell(text)
	}
	return ours
}

// script is the HTML that makes the controls of an address work in a page of Jupyter's kernel id.
func (c *controls) script(address, id string) string {
	if id == "" { // a front end that has no server behind it
		return ""
	}
	return fmt.Sprintf("<script>%s(%s, %s)</script>", pageScript, jupyter.ToJSON(address), jupyter.ToJSON(id))
}

// serve listens on a socket for compiled cells; now returns the name of the cell that runs, whether its front end has
// a page, and whether others wait for its end.
func (c *controls) serve(path string, now func() (cell string, page, others bool)) error {
	var err error
	if c.socket, err = net.Listen("unix", path); err != nil {
		return err
	}
	go func() {
		for {
			conn, err := c.socket.Accept()
			if err != nil {
				return
			}
			go c.cell(conn, now)
		}
	}()
	return nil
}

// cell serves one compiled cell's controls, until it goes.
func (c *controls) cell(conn net.Conn, now func() (cell string, page, others bool)) {
	defer conn.Close()
	texts := make(chan string, 256)
	read := json.NewDecoder(conn)
	var address string
	if err := read.Decode(&address); err != nil {
		if err != io.EOF {
			c.log("controls: %v", err)
		}
		return
	}
	cell, page, others := now()
	first := ""
	if page {
		first = kernelext.PageWaits
	}
	texts <- first
	if page && c.drawn != nil && c.drawn() {
		texts <- kernelext.PageReady
	}
	if others {
		texts <- kernelext.PageDone
	}
	done := make(chan struct{})
	defer c.listen(address, &listener{cell, true, func(text string) {
		select {
		case texts <- text:
		case <-done:
		default:
			c.log("controls: the cell does not read what the page sends")
		}
	}})()
	go func() {
		for e := json.NewEncoder(conn); ; {
			select {
			case text := <-texts:
				if e.Encode(text) != nil {
					return
				}
			case <-done:
				return
			}
		}
	}()
	defer close(done)
	read.Decode(new(string)) // comes back when the cell goes
}

// stop takes no more cells.
func (c *controls) stop() {
	if c.socket != nil {
		c.socket.Close()
	}
}
