package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// protocolVersion is the version of Jupyter's messaging protocol that is spoken here.
const protocolVersion = "5.4"

// delimiter stands between a message's identities and its body.
const delimiter = "<IDS|MSG>"

// header is the header of a message.
type header struct {
	MsgID    string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	MsgType  string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is a message of the protocol: identities (of the peers it came through), four JSON objects, buffers.
// header is the first object parsed; rawHeader its bytes, which become the parent of what answers it.
type message struct {
	ids       [][]byte
	header    header
	rawHeader []byte
	parent    []byte
	metadata  []byte
	content   []byte
	buffers   [][]byte
}

// kind is the message's type.
func (m *message) kind() string { return m.header.MsgType }

// cell is what a front end with cells calls the one it asks about, "" if it does not say.
func (m *message) cell() string {
	var meta struct {
		Cell string `json:"cellId"`
	}
	json.Unmarshal(m.metadata, &meta)
	return meta.Cell
}

// parentID is the msg_id of the message's parent, "" if there is none.
func (m *message) parentID() string {
	var h header
	if json.Unmarshal(m.parent, &h) != nil {
		return ""
	}
	return h.MsgID
}

// Errors for which a message is dropped.
var (
	errShort     = errors.New("too few frames")
	errSignature = errors.New("the signature is wrong")
	errUnsigned  = errors.New("the signature is missing")
	errReplay    = errors.New("the signature was seen before, a replay")
)

// signer signs messages and checks signatures (HMAC-SHA256 over the four objects). An empty key signs nothing.
type signer struct {
	key []byte

	mu   sync.Mutex
	seen map[string]bool
	past []string // seen's keys, oldest first
}

// maxSeen is how many signatures are remembered against replays.
const maxSeen = 1 << 16

func newSigner(key string) *signer { return &signer{key: []byte(key), seen: map[string]bool{}} }

// sign returns the signature of the four objects, in hex.
func (s *signer) sign(parts ...[]byte) []byte {
	if len(s.key) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, s.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// check verifies a signature of the four objects, once.
func (s *signer) check(signature []byte, parts ...[]byte) error {
	if len(s.key) == 0 {
		return nil
	}
	if len(signature) == 0 {
		return errUnsigned
	}
	if !hmac.Equal(bytes.ToLower(signature), s.sign(parts...)) {
		return errSignature
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := string(bytes.ToLower(signature))
	if s.seen[key] {
		return errReplay
	}
	s.seen[key] = true
	if s.past = append(s.past, key); len(s.past) > maxSeen {
		delete(s.seen, s.past[0])
		s.past = s.past[1:]
	}
	return nil
}

// split takes frames apart without a look at the signature.
func split(frames [][]byte) (m *message, signature []byte, err error) {
	i := 0
	for i < len(frames) && string(frames[i]) != delimiter {
		i++
	}
	if len(frames) < i+6 {
		return nil, nil, errShort
	}
	body := frames[i+1:]
	m = &message{ids: frames[:i], rawHeader: body[1], parent: body[2], metadata: body[3], content: body[4], buffers: body[5:]}
	if err := json.Unmarshal(m.rawHeader, &m.header); err != nil {
		return nil, nil, fmt.Errorf("the header: %w", err)
	}
	return m, body[0], nil
}

// open takes a message apart that a front end sent: rightly signed, with JSON in all parts.
func (s *signer) open(frames [][]byte) (*message, error) {
	m, signature, err := split(frames)
	if err != nil {
		return nil, err
	}
	if err := s.check(signature, m.rawHeader, m.parent, m.metadata, m.content); err != nil {
		return nil, err
	}
	if m.header.MsgType == "" || m.header.MsgID == "" {
		return nil, errors.New("the header lacks msg_type or msg_id")
	}
	for _, part := range [][]byte{m.parent, m.metadata, m.content} {
		if !json.Valid(part) {
			return nil, errors.New("a part is no JSON")
		}
	}
	return m, nil
}

// seal returns the message's frames, signed.
func (s *signer) seal(m *message) [][]byte {
	frames := append([][]byte{}, m.ids...)
	frames = append(frames, []byte(delimiter), s.sign(m.rawHeader, m.parent, m.metadata, m.content),
		m.rawHeader, m.parent, m.metadata, m.content)
	return append(frames, m.buffers...)
}

// newID returns a random identifier in the form of a UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// compose makes a message of a session; parent may be nil.
func compose(session, kind string, parent *message, content any) *message {
	h := header{MsgID: newID(), Session: session, Username: "kernel", MsgType: kind, Version: protocolVersion,
		Date: time.Now().UTC().Format(time.RFC3339Nano)}
	m := &message{header: h, rawHeader: toJSON(h), parent: []byte("{}"), metadata: []byte("{}"), content: toJSON(content)}
	if parent != nil {
		m.parent, m.ids = parent.rawHeader, parent.ids
	}
	return m
}

// toJSON is for content made here, which JSON can always write; what a session shows may fail, and is then told so.
func toJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return toJSON(map[string]any{"error": err.Error()})
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
