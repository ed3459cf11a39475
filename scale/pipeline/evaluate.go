package pipeline

import (
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// registerEvaluate registers the functions of Evaluate.
func registerEvaluate() {
	register.DoFn4x1[string, func(*int64) bool, func(*int64) bool, func(Distances), error](&comparePath{})
	register.Iter1[int64]()
	register.Emitter1[Distances]()
	register.Combiner1[Distances](&sumDistances{})
}

// Distances are sums over paths, of the data's distribution p and the sample's q. L1 is Σ|p − q|, KL Σ p·log(p/q), +∞
// where the sample lacks a path; TV is the paper's, the greatest |p − q|. Add compensates rounding (Neumaier 1974).
type Distances struct {
	L1, L1Error float64
	KL, KLError float64
	TV          float64
	P, Q        int64 // counts
	Support     int64 // paths of either
	Unseen      int64 // walks of the data whose path the sample lacks
}

// Add adds o.
func (d Distances) Add(o Distances) Distances {
	d.L1, d.L1Error = plus(d.L1, d.L1Error, o.L1, o.L1Error)
	d.KL, d.KLError = plus(d.KL, d.KLError, o.KL, o.KLError)
	d.TV = math.Max(d.TV, o.TV)
	d.P, d.Q, d.Support, d.Unseen = d.P+o.P, d.Q+o.Q, d.Support+o.Support, d.Unseen+o.Unseen
	return d
}

// plus adds y + ye to x + xe, xe and ye what rounding lost.
func plus(x, xe, y, ye float64) (sum, lost float64) {
	sum = x + y
	if math.IsInf(sum, 0) {
		return sum, 0
	}
	if math.Abs(x) >= math.Abs(y) {
		lost = (x - sum) + y
	} else {
		lost = (y - sum) + x
	}
	return sum, lost + xe + ye
}

// Evaluate compares two counts of paths, the data's and a sample's, whose totals are known from a pass before.
func Evaluate(s beam.Scope, data, sample beam.PCollection, dataTotal, sampleTotal int64) beam.PCollection {
	s = s.Scope("evaluate")
	each := beam.ParDo(s, &comparePath{dataTotal, sampleTotal}, beam.CoGroupByKey(s, data, sample))
	return beam.Combine(s, &sumDistances{}, each)
}

// comparePath compares the counts of one path.
type comparePath struct{ DataTotal, SampleTotal int64 }

// ProcessElement emits the path's part of the distances.
func (f *comparePath) ProcessElement(_ string, data, sample func(*int64) bool, emit func(Distances)) error {
	total := func(next func(*int64) bool) (sum int64) {
		for n := int64(0); next(&n); {
			sum += n
		}
		return sum
	}
	emit(compare(total(data), total(sample), f.DataTotal, f.SampleTotal))
	return nil
}

// compare returns the part of one path, seen a times of all in the data and b times in the sample.
func compare(a, b, all, drawn int64) Distances {
	p, q := float64(a)/float64(all), float64(b)/float64(drawn)
	d := Distances{L1: math.Abs(p - q), TV: math.Abs(p - q), P: a, Q: b, Support: 1}
	switch {
	case a > 0 && b > 0:
		d.KL = p * math.Log(p/q)
	case a > 0:
		d.KL, d.Unseen = math.Inf(1), a
	}
	return d
}

// sumDistances adds distances.
type sumDistances struct{}

// MergeAccumulators adds two sums.
func (sumDistances) MergeAccumulators(a, b Distances) Distances { return a.Add(b) }
