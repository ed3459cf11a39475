package jupyter

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

// ProtocolVersion is the version of Jupyter's messaging protocol that is spoken here.
const ProtocolVersion = "5.5"

// delimiter stands between a message's identities and its body.
const delimiter = "<IDS|MSG>"

// Header is the header of a message.
type Header struct {
	MsgID    string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	MsgType  string `json:"msg_type"`
	Version  string `json:"version"`
	Subshell string `json:"subshell_id,omitempty"`
}

// Message is a message of the protocol: identities (of the peers it came through), four JSON objects, buffers.
// header is the first object parsed; rawHeader its bytes, which become the parent of what answers it.
type Message struct {
	Ids       [][]byte
	Header    Header
	rawHeader []byte
	parent    []byte
	Metadata  []byte
	Content   []byte
	buffers   [][]byte
}

// Kind is the message's type.
func (m *Message) Kind() string { return m.Header.MsgType }

// Cell is what a front end with cells calls the one it asks about, "" if it does not say.
func (m *Message) Cell() string {
	var meta struct {
		Cell string `json:"cellId"`
	}
	json.Unmarshal(m.Metadata, &meta)
	return meta.Cell
}

// ParentID is the msg_id of the message's parent, "" if there is none.
func (m *Message) ParentID() string {
	var h Header
	if json.Unmarshal(m.parent, &h) != nil {
		return ""
	}
	return h.MsgID
}

// Errors for which a message is dropped.
var (
	ErrShort     = errors.New("too few frames")
	ErrSignature = errors.New("the signature is wrong")
	ErrUnsigned  = errors.New("the signature is missing")
	ErrReplay    = errors.New("the signature was seen before, a replay")
)

// Signer signs messages and checks signatures (HMAC-SHA256 over the four objects). An empty key signs nothing.
type Signer struct {
	key []byte

	mu   sync.Mutex
	seen map[string]bool
	past []string // seen's keys, oldest first
}

// maxSeen is how many signatures are remembered against replays.
const maxSeen = 1 << 16

// NewSigner returns a signer with the key of a connection file, "" for none.
func NewSigner(key string) *Signer { return &Signer{key: []byte(key), seen: map[string]bool{}} }

// sign returns the signature of the four objects, in hex.
func (s *Signer) sign(parts ...[]byte) []byte {
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
func (s *Signer) check(signature []byte, parts ...[]byte) error {
	if len(s.key) == 0 {
		return nil
	}
	if len(signature) == 0 {
		return ErrUnsigned
	}
	if !hmac.Equal(bytes.ToLower(signature), s.sign(parts...)) {
		return ErrSignature
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := string(bytes.ToLower(signature))
	if s.seen[key] {
		return ErrReplay
	}
	s.seen[key] = true
	if s.past = append(s.past, key); len(s.past) > maxSeen {
		delete(s.seen, s.past[0])
		s.past = s.past[1:]
	}
	return nil
}

// Split takes frames apart without a look at the signature.
func Split(frames [][]byte) (m *Message, signature []byte, err error) {
	i := 0
	for i < len(frames) && string(frames[i]) != delimiter {
		i++
	}
	if len(frames) < i+6 {
		return nil, nil, ErrShort
	}
	body := frames[i+1:]
	m = &Message{Ids: frames[:i], rawHeader: body[1], parent: body[2], Metadata: body[3], Content: body[4],
		buffers: body[5:]}
	if err := json.Unmarshal(m.rawHeader, &m.Header); err != nil {
		return nil, nil, fmt.Errorf("the header: %w", err)
	}
	return m, body[0], nil
}

// Open takes a message apart that a front end sent: rightly signed, with JSON in all parts.
func (s *Signer) Open(frames [][]byte) (*Message, error) {
	m, signature, err := Split(frames)
	if err != nil {
		return nil, err
	}
	if err := s.check(signature, m.rawHeader, m.parent, m.Metadata, m.Content); err != nil {
		return nil, err
	}
	if m.Header.MsgType == "" || m.Header.MsgID == "" {
		return nil, errors.New("the header lacks msg_type or msg_id")
	}
	for _, part := range [][]byte{m.parent, m.Metadata, m.Content} {
		if !json.Valid(part) {
			return nil, errors.New("a part is no JSON")
		}
	}
	return m, nil
}

// Seal returns the message's frames, signed.
func (s *Signer) Seal(m *Message) [][]byte {
	frames := append([][]byte{}, m.Ids...)
	frames = append(frames, []byte(delimiter), s.sign(m.rawHeader, m.parent, m.Metadata, m.Content),
		m.rawHeader, m.parent, m.Metadata, m.Content)
	return append(frames, m.buffers...)
}

// NewID returns a random identifier in the form of a UUID.
func NewID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Compose makes a message of a session; parent may be nil.
func Compose(session, kind string, parent *Message, content any) *Message {
	h := Header{MsgID: NewID(), Session: session, Username: "kernel", MsgType: kind, Version: ProtocolVersion,
		Date: time.Now().UTC().Format(time.RFC3339Nano)}
	m := &Message{Header: h, rawHeader: ToJSON(h), parent: []byte("{}"), Metadata: []byte("{}"), Content: ToJSON(content)}
	if parent != nil {
		m.parent, m.Ids = parent.rawHeader, parent.Ids
	}
	return m
}

// WithSubshell addresses a request to a sub-shell.
func (m *Message) WithSubshell(id string) *Message {
	m.Header.Subshell = id
	m.rawHeader = ToJSON(m.Header)
	return m
}

// ToJSON is for content made here, which JSON can always write; what a session shows may fail, and is then told so.
func ToJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return ToJSON(map[string]any{"error": err.Error()})
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
