//go:build unix

package kernel

import (
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

func FuzzOpen(f *testing.F) {
	s := jupyter.NewSigner("")
	m := s.Seal(jupyter.Compose("s", "x", nil, map[string]any{}))
	f.Add(m[0], m[2], m[3], m[4])
	f.Add([]byte("<IDS|MSG>"), []byte("{"), []byte("[]"), []byte("1"))
	f.Fuzz(func(t *testing.T, d, h, p, c []byte) {
		if m, err := s.Open([][]byte{d, nil, h, p, []byte("{}"), c}); err == nil {
			m.ParentID()
			readAssistAny(m)
		}
	})
}
