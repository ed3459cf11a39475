package jupyter

import (
	"bufio"
	"errors"
	"net"
	"strings"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// Peer is one connection.
type Peer struct {
	conn     *zmq4.Conn
	wire     *wire
	Identity string

	mu     sync.Mutex
	ready  *sync.Cond
	queue  [][][]byte
	busy   bool // the first of the queue is being sent
	gone   bool
	topics []string // subscribed to, on a publishing socket
}

// Send queues a message.
func (p *Peer) Send(frames [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.queue = append(p.queue, frames)
		p.ready.Signal()
	}
}

// write sends what is queued until the peer goes.
func (p *Peer) write() {
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.gone {
			p.ready.Wait()
		}
		if p.gone {
			p.mu.Unlock()
			return
		}
		frames := p.queue[0]
		p.queue, p.busy = p.queue[1:], true
		p.mu.Unlock()
		err := errors.Join(p.conn.SendMsg(zmq4.NewMsgFrom(frames...)), p.wire.flush())
		p.mu.Lock()
		p.busy = false
		p.mu.Unlock()
		if err != nil {
			p.stop()
			return
		}
	}
}

func (p *Peer) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone || len(p.queue) == 0 && !p.busy
}

func (p *Peer) stop() {
	p.mu.Lock()
	p.gone, p.queue = true, nil
	p.ready.Broadcast()
	p.mu.Unlock()
	p.wire.Close()
}

func (p *Peer) wants(topic string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.topics {
		if strings.HasPrefix(topic, t) {
			return true
		}
	}
	return false
}

// Subscribe reads a subscription (1 and a topic) or its end (0 and a topic) and tells a new topic.
func (p *Peer) Subscribe(frame []byte) (topic string, isNew bool) {
	if len(frame) == 0 || frame[0] > 1 {
		return "", false
	}
	topic = string(frame[1:])
	p.mu.Lock()
	defer p.mu.Unlock()
	if frame[0] == 1 {
		p.topics = append(p.topics, topic)
		return topic, true
	}
	for i, t := range p.topics {
		if t == topic {
			p.topics = append(p.topics[:i:i], p.topics[i+1:]...)
			break
		}
	}
	return topic, false
}

// wire is a connection whose small reads and writes are gathered: zmq4 makes two writes of each frame.
type wire struct {
	net.Conn
	r    *bufio.Reader
	hold bool // writes wait for flush; set once hands are shaken

	mu sync.Mutex
	w  *bufio.Writer
}

func newWire(c net.Conn) *wire {
	return &wire{Conn: c, r: bufio.NewReaderSize(c, 1<<16), w: bufio.NewWriterSize(c, 1<<16)}
}

// Read reads through the buffer.
func (w *wire) Read(b []byte) (int, error) { return w.r.Read(b) }

// Write writes into the buffer, and through it before hold.
func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.w.Write(b)
	if err == nil && !w.hold {
		err = w.w.Flush()
	}
	return n, err
}

func (w *wire) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Flush()
}
