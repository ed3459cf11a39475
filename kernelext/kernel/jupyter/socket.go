package jupyter

import (
	"bufio"
	"errors"
	"log"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// Socket is a bound ZeroMQ socket of which each peer has its own reader and its own queue of what is to be sent, so
// that one that dawdles holds up nobody. It is built on zmq4's connections; zmq4's own sockets tell nothing of
// subscriptions, which iopub_welcome needs, and lose what is unsent when they close.
type Socket struct {
	kind     zmq4.SocketType
	listener net.Listener
	receive  func(p *Peer, frames [][]byte) // called by each peer's reader
	log      *log.Logger

	mu    sync.Mutex
	peers []*Peer
}

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

// handshakeTime is how long a peer may take to say hello.
const handshakeTime = 10 * time.Second

// Listen binds a socket to an address, "tcp" host:port or "unix" path.
func Listen(kind zmq4.SocketType, network, address string, logger *log.Logger, receive func(*Peer, [][]byte)) (*Socket,
	error) {
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	s := &Socket{kind: kind, listener: l, receive: receive, log: logger}
	go s.accept()
	return s, nil
}

func (s *Socket) accept() {
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.log.Printf("a connection failed: %v", err)
			time.Sleep(10 * time.Millisecond)
			continue
		}
		go s.serve(c)
	}
}

// serve shakes hands with a peer and reads what it sends until it goes.
func (s *Socket) serve(raw net.Conn) {
	raw.SetDeadline(time.Now().Add(handshakeTime))
	w := newWire(raw)
	conn, err := zmq4.Open(w, null.Security(), s.kind, nil, true, nil)
	if err != nil {
		s.log.Printf("a peer of the %s socket did not shake hands: %v", strings.ToLower(string(s.kind)), err)
		raw.Close()
		return
	}
	raw.SetDeadline(time.Time{})
	w.hold = true
	p := &Peer{conn: conn, wire: w, Identity: conn.Peer.Meta["Identity"]}
	p.ready = sync.NewCond(&p.mu)
	if p.Identity == "" {
		p.Identity = NewID()
	}
	s.mu.Lock()
	s.peers = append(s.peers, p)
	s.mu.Unlock()
	go p.write()
	for {
		m, err := conn.RecvMsg()
		if err != nil {
			break
		}
		if m.Type == zmq4.UsrMsg {
			s.receive(p, m.Frames)
		}
	}
	s.drop(p)
}

func (s *Socket) drop(p *Peer) {
	p.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.peers {
		if s.peers[i] == p {
			s.peers = append(s.peers[:i:i], s.peers[i+1:]...)
			return
		}
	}
}

// To sends to the newest peer of that identity, and reports whether there is one.
func (s *Socket) To(identity string, frames [][]byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.peers) - 1; i >= 0; i-- {
		if s.peers[i].Identity == identity {
			s.peers[i].Send(frames)
			return true
		}
	}
	return false
}

// Publish sends to all peers that subscribed to the first frame, or a beginning of it.
func (s *Socket) Publish(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.peers {
		if p.wants(string(frames[0])) {
			p.Send(frames)
		}
	}
}

// Close takes no more peers, sends what waits, for at most a second, and ends all connections.
func (s *Socket) Close() {
	s.listener.Close()
	s.mu.Lock()
	peers := append([]*Peer(nil), s.peers...)
	s.mu.Unlock()
	end := time.Now().Add(time.Second)
	for _, p := range peers {
		for !p.idle() && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
		}
		p.stop()
	}
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
