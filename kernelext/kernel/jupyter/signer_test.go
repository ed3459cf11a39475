package jupyter

import (
	"testing"
)

func TestSigner(t *testing.T) {
	s := NewSigner("key")
	m := Compose("s", "x", nil, map[string]any{"a": 1})
	frames := s.Seal(m)
	if got, err := s.Open(frames); err != nil || got.Kind() != "x" {
		t.Fatal(err)
	}
	if _, err := s.Open(frames); err != ErrReplay {
		t.Error(err)
	}
	if _, err := NewSigner("other").Open(frames); err != ErrSignature {
		t.Error(err)
	}
	if _, err := NewSigner("").Open(frames); err != nil {
		t.Error(err)
	}
	reply := Compose("s", "y", m, nil)
	if reply.ParentID() != m.Header.MsgID {
		t.Error("another parent")
	}
	for range maxSeen + 10 {
		s.Open(s.Seal(Compose("s", "x", nil, nil)))
	}
	if len(s.seen) != maxSeen || len(s.past) != maxSeen {
		t.Error(len(s.seen), len(s.past))
	}
}
