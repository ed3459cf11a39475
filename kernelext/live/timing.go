package live

import (
	"context"
	"fmt"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// timing is what a cell wants to know of the time it takes.
type timing int

const (
	untimed timing = iota
	once           // %%time
	many           // %%timeit
)

// %%timeit takes so many rounds, each of as many times as fill roundTime.
const (
	rounds    = 7
	roundTime = 100 * time.Millisecond
)

// took says how long a cell took.
func (s *Session) took(d time.Duration) {
	fmt.Fprintf(s.out.Stdout(), "%v\n", digits(d))
}

// digits cuts a duration to four digits.
func digits(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10_000 {
		unit *= 10
	}
	return d.Round(unit)
}

// measure runs a cell over and over and says how long a time takes: its mean over rounds and their standard deviation.
// The first times, which are not counted, tell how many a round needs. Values are not shown.
func (s *Session) measure(ctx context.Context, run *eval.Run, cell *eval.Cell, failed func(any, []eval.Frame)) error {
	var each []float64 // nanoseconds a time, by round
	times, counted := 1, false
	next := func(took time.Duration) int {
		switch {
		case ctx.Err() != nil:
			return 0
		case counted:
			each = append(each, float64(took)/float64(times))
		case took < roundTime/10:
			times *= 10
		case took < roundTime:
			times = max(times+1, int(float64(times)*float64(roundTime)/float64(took)))
			counted = true
		default:
			counted = true
		}
		if len(each) == rounds {
			return 0
		}
		return times
	}
	if err := cell.Repeat(run, times, next, failed); err != nil || len(each) < rounds {
		return err
	}
	mean, std := stat.MeanStdDev(each, nil)
	fmt.Fprintf(s.out.Stdout(), "%v ± %v a time (mean and standard deviation of %d rounds of %d)\n",
		digits(time.Duration(mean)),
		digits(time.Duration(std)), rounds, times)
	return nil
}
