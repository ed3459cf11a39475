package jupyter

import (
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
