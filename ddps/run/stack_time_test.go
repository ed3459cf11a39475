package run

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/ddps/train"
)

// A budget is kept within a fifth, by a clock on which each update of the GRU takes 10 ms, or left early with the
// reason; one that is longer than the fit needs shortens nothing.
func TestBudget(t *testing.T) {
	const step = 10 * time.Millisecond
	fit := func(budget time.Duration) *StackInfo {
		cfg := StackConfig()
		cfg.Hold, cfg.Budget = .2, budget
		at := time.Unix(0, 0)
		r := &Run{Config: cfg, Data: walks(t), clock: func() time.Time { at = at.Add(step); return at }}
		var info *StackInfo
		if _, err := r.stack(context.Background(), train.Hooks{}, func(line any) {
			if s, ok := line.(*StackInfo); ok {
				info = s
			}
		}); err != nil {
			t.Fatal(err)
		}
		return info
	}
	for _, b := range []time.Duration{6 * time.Second, 12 * time.Second} {
		if info := fit(b); info.Seconds < .8*b.Seconds() || info.Seconds > 1.2*b.Seconds() {
			t.Errorf("a fit of %v takes %.1f s (%q)", b, info.Seconds, info.Early)
		}
	}
	long := fit(time.Hour)
	if long.Seconds > .8*3600 || !strings.Contains(long.Early, "more time would not be used") {
		t.Errorf("a fit of an hour takes %.1f s and says %q", long.Seconds, long.Early)
	}
	if none := fit(0); none.NLL != long.NLL || none.Early != "" {
		t.Errorf("a long budget changes the fit: NLL %v, without a budget %v", long.NLL, none.NLL)
	}
}
