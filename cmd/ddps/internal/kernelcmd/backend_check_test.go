package kernelcmd

import (
	"slices"
	"strings"
	"testing"
)

// What a process wrote before it crashed, and on the crash.
func TestCrashOf(t *testing.T) {
	for text, want := range map[string][]string{
		"": {""},
		"F0000 no cuDNN\nSIGABRT: abort\nPC=0x1 m=0\ngoroutine 1\n": {"SIGABRT: abort", "F0000 no cuDNN"},
		"a\n\n  b\n":                           {"", "a", "b"},
		"fatal error: unexpected signal\nx":    {"fatal error: unexpected signal"},
		strings.Repeat("x\n", 99) + "panic: y": append([]string{"panic: y"}, slices.Repeat([]string{"x"}, 10)...),
	} {
		log, crash := crashOf(text)
		if crash != want[0] || !slices.Equal(log, want[1:]) {
			t.Errorf("%q: %q, %q", text, crash, log)
		}
	}
}
