package query

import (
	"math"

	"github.com/ddps-go/ddps/ddps/d3pm"
)

// Scores is the mean NLL of walks that are possible under a model.
type Scores struct {
	NLL        float64 // nats per walk; NaN without a walk
	StdErr     float64 // of the mean, over walks
	Walks      int     // with repeats
	Impossible int     // walks that are no path of the graph, or whose probability is 0; not in NLL
	Unmet      int     // walks that do not meet the condition asked for; not in NLL
}

// Summarize averages over walks, each as often as its count (nil: once). It panics if there are fewer counts. Walks of
// probability 0 are counted as impossible, those without a number (NaN) as not meeting the condition.
func Summarize(nats []d3pm.Estimate, counts []int) (s Scores) {
	mean, m2 := 0.0, 0.0
	for i, x := range nats {
		times := 1
		if counts != nil {
			times = counts[i]
		}
		switch {
		case math.IsNaN(x.Mean):
			s.Unmet += times
			continue
		case math.IsInf(x.Mean, 1):
			s.Impossible += times
			continue
		}
		n, c := float64(s.Walks), float64(times)
		s.Walks += times
		d := x.Mean - mean
		mean += d * c / (n + c)
		m2 += d * d * n * c / (n + c)
	}
	if s.NLL, s.StdErr = mean, math.NaN(); s.Walks > 1 {
		s.StdErr = math.Sqrt(m2 / float64(s.Walks-1) / float64(s.Walks))
	}
	if s.Walks == 0 {
		s.NLL = math.NaN()
	}
	return s
}
