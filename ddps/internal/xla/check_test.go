package xla

import (
	"strings"
	"testing"
)

func TestCheckBackend(t *testing.T) {
	for _, spec := range []string{"", "go", "go:large", "auto"} {
		if d, err := CheckBackend(spec); err != nil || d == "" {
			t.Errorf("%q: %q, error %v", spec, d, err)
		}
	}
	for spec, want := range map[string]string{"gpu": "unknown backend", "xla:/no/such.so": "xla:/no/such.so"} {
		if _, err := CheckBackend(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", spec, err, want)
		}
	}
}
