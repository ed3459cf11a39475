package gen

import (
	"regexp"
	"strings"
	"testing"
)

// Kernels for AVX2 use its registers only.
func TestAVX2Registers(t *testing.T) {
	all, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	more := regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7])\b`)
	for name, text := range all {
		for _, f := range strings.Split(string(text), "TEXT ")[1:] {
			if head, body, _ := strings.Cut(f, "\n"); strings.Contains(head, "AVX2(") && more.MatchString(body) {
				t.Errorf("%s: %s uses %s", name, head, more.FindString(body))
			}
		}
	}
}
