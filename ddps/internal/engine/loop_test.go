package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A loop takes each step once, evaluates and makes checkpoints where they are due and at the end, and goes on from
// where it was stopped; a criterion ends it early, and a step that fails leaves no checkpoint.
func TestLoop(t *testing.T) {
	run := func(ctx context.Context, step, over, fails int) (log []string, at int, err error) {
		say := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
		l := &Loop[int]{Name: "x", Steps: 5, Every: 2,
			Next: func(k int) (int, error) {
				if k == fails {
					return 0, CheckLoss(0 / float64(k-fails))
				}
				return 10 * k, nil
			},
			Report: func(step, s int, rate float64) { say("%d:%d", step, s) },
			Evaluate: func(due func(int) bool) error {
				if due(3) {
					say("eval")
				}
				return nil
			},
			Save: func(step int) error { say("save %d", step); return nil },
			Over: func() bool { return over > 0 && slices.Contains(log, fmt.Sprintf("%d:%d", over, 10*(over-1))) },
		}
		err = l.Run(ctx, &step)
		return log, step, err
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		ctx               context.Context
		step, over, fails int
		log, err          string
	}{
		"whole":     {t.Context(), 0, 0, -1, "1:0 2:10 save 2 3:20 eval 4:30 save 4 5:40 eval save 5", ""},
		"resumed":   {t.Context(), 3, 0, -1, "4:30 save 4 5:40 eval save 5", ""},
		"ended":     {t.Context(), 5, 0, -1, "", ""},
		"stopped":   {stopped, 3, 0, -1, "save 3", "x: stopped after step 3 of 5"},
		"early":     {t.Context(), 0, 3, -1, "1:0 2:10 save 2 3:20 eval save 3", ""},
		"no number": {t.Context(), 0, 0, 1, "1:0", "x: step 2: the loss is NaN"},
	} {
		log, _, err := run(c.ctx, c.step, c.over, c.fails)
		if got := strings.Join(log, " "); got != c.log || (err == nil) != (c.err == "") || err != nil &&
			err.Error() != c.err {
			t.Errorf("%s: %q, %v, expected %q, %s", name, got, err, c.log, c.err)
		}
		if name == "stopped" && !errors.Is(err, ErrStopped) {
			t.Error(err)
		}
	}
}
