package traincmd

import (
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/ddps/run"
)

// A fit that takes more than 1.2 times its budget is a warning with both times.
func TestOverBudget(t *testing.T) {
	took := func(s float64) *run.Log { return &run.Log{Stack: &run.StackInfo{Seconds: s}} }
	text := overBudget(25*time.Second, took(37))
	if !strings.Contains(text, "37s") || !strings.Contains(text, "25s") {
		t.Errorf("%q has not both times", text)
	}
	for _, none := range []string{overBudget(25*time.Second, took(29.9)), overBudget(0, took(37)),
		overBudget(25*time.Second, &run.Log{})} {
		if none != "" {
			t.Errorf("%q, want no warning", none)
		}
	}
}
