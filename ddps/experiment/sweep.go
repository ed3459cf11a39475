package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
)

// The curves of a Sweep besides the metrics of Evaluate.
const (
	CurveReward  = "reward"
	CurveAtMax   = "at the maximum"      // share of samples that earn the greatest reward any path has, in [0, 1]
	CurveReverse = "KL, sample ‖ target" // in nats; +Inf where a sample is none of the target's paths
)

// Lambdas returns the guidance scales λ of the experiments, 0 for none to 10⁵ (the paper's figures 4 to 6 give no list).
func Lambdas() []float64 {
	return []float64{0, .1, .3, 1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 1e5}
}

// SweepConfig says how samples are drawn at each strength of a guide.
type SweepConfig struct {
	Guide     string    // by name, of which the strength changes: λ, or β of Boltzmann
	Strengths []float64 // nil: Lambdas
	Samples   int       // of each strength, at least 1
	Steps     int       // reverse steps S; 0: d3pm.DefaultSteps
	Kernel    string    // reverse step by name, "" for the default
	Floors    int       // exact draws behind the sampling floors; 0: none
	Seed      uint64
	Backend   string // as d3pm.Sampler's; all strengths are then drawn together
}

// Sweep is what a guide of growing strength does to samples: rewards on the one side, distances to a target on the
// other (the paper's §5.2 and §5.3, figures 4 to 6).
type Sweep struct {
	Guide  string
	Best   float64   // greatest reward of any path
	X      []float64 // strengths
	Curves []Curved  // CurveReward, CurveAtMax, CurveReverse, then the metrics of Evaluate in its order
}

// Curved is one quantity of a Sweep, by strength.
type Curved struct {
	Name string
	Y    []float64
	// Std is the standard deviation of Y over the instances of a MeanSweep; of a single sweep it is that of the
	// rewards of its samples, and nil for all else.
	Std         []float64
	Floor, High float64 // mean and greatest value over exact draws of the target, as many as there are samples; NaN without
}

// Run draws samples of m, guided to reward u, by edge, at each strength, and holds them against t. progress, if not
// nil, is told of strengths done. It stops early with ctx's error.
func (c SweepConfig) Run(ctx context.Context, m *model.Model, u []float64, t *Target, progress func(done, total int)) (*Sweep, error) {
	if c.Floors < 0 {
		return nil, fmt.Errorf("experiment: sweep: %d draws for the sampling floors, must be at least 0", c.Floors)
	}
	if err := m.Graph.CheckReward(u); err != nil {
		return nil, fmt.Errorf("experiment: sweep: %w", err)
	}
	s := &Sweep{Guide: c.Guide, Best: m.Graph.Best(u), X: c.Strengths}
	if s.X == nil {
		s.X = Lambdas()
	}
	together := 1
	if c.Backend != "" {
		together = max(1, len(s.X))
	}
	for i := 0; i < len(s.X); i += together {
		some := s.X[i:min(i+together, len(s.X))]
		samples, err := c.sample(ctx, m, u, some)
		if err != nil {
			return nil, fmt.Errorf("experiment: sweep: strength %v: %w", some[0], err)
		}
		for k, paths := range samples {
			if err := s.add(ctx, t, u, paths); err != nil {
				return nil, fmt.Errorf("experiment: sweep: strength %v: %w", some[k], err)
			}
			if progress != nil {
				progress(i+k+1, len(s.X))
			}
		}
	}
	return s, s.floors(ctx, c, t, u)
}

// sample draws the samples of some strengths.
func (c SweepConfig) sample(ctx context.Context, m *model.Model, u []float64, strengths []float64) ([][]ddps.Path, error) {
	var each []*d3pm.Sampler
	for _, x := range strengths {
		s := m.Sampler()
		s.Steps, s.Backend = c.Steps, c.Backend
		var err error
		if s.Kernel, err = Kernel(c.Kernel); err != nil {
			return nil, err
		}
		if err := (Guide{Name: c.Guide, Lambda: x, Beta: x}).Apply(s, u); err != nil {
			return nil, err
		}
		each = append(each, s)
	}
	return d3pm.SampleEach(ctx, each, c.Samples, c.Seed, nil)
}

// add appends to each curve what a sample shows.
func (s *Sweep) add(ctx context.Context, t *Target, u []float64, paths []ddps.Path) error {
	values, std, err := sweepValues(ctx, t, u, paths)
	if err != nil {
		return err
	}
	if s.Curves == nil {
		for _, v := range values {
			s.Curves = append(s.Curves, Curved{Name: v.Name, Floor: math.NaN(), High: math.NaN()})
		}
	}
	for k, v := range values {
		s.Curves[k].Y = append(s.Curves[k].Y, v.Value.Value)
	}
	s.Curves[0].Std = append(s.Curves[0].Std, std)
	return nil
}

// sweepValues returns what a sample shows, one value a curve, and the standard deviation of its rewards.
func sweepValues(ctx context.Context, t *Target, u []float64, paths []ddps.Path) (values []Metric, std float64, err error) {
	mean, std, atMax, err := RewardStats(t.Graph, u, paths)
	if err != nil {
		return nil, 0, err
	}
	p, q, err := t.laws(paths)
	if err != nil {
		return nil, 0, err
	}
	reverse, err := metrics.KL(q, p)
	if err != nil {
		return nil, 0, err
	}
	list, err := Evaluate(ctx, t, paths, 0, 0, nil)
	own := []Metric{{CurveReward, Value{Value: mean}}, {CurveAtMax, Value{Value: atMax}}, {CurveReverse, Value{Value: reverse}}}
	return append(own, list...), std, err
}

// floors fills in what exact draws of the target show.
func (s *Sweep) floors(ctx context.Context, c SweepConfig, t *Target, u []float64) error {
	by := t.choice()
	for r := range c.Floors {
		values, _, err := sweepValues(ctx, t, u, t.draw(by, c.Samples, c.Seed, uint64(r)))
		if err != nil {
			return fmt.Errorf("experiment: sweep: sampling floors: %w", err)
		}
		for k, v := range values {
			f := &s.Curves[k]
			if r == 0 {
				f.Floor, f.High = 0, math.Inf(-1)
			}
			f.Floor += v.Value.Value / float64(c.Floors)
			f.High = max(f.High, v.Value.Value)
		}
	}
	return ctx.Err()
}

// Curve returns the curve of that name; the error lists those that there are.
func (s *Sweep) Curve(name string) (Curved, error) {
	var names []string
	for _, c := range s.Curves {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Curved{}, fmt.Errorf("experiment: the sweep has no %q, but %q", name, names)
}

// SweetSpot returns the strength at which the curve of that name is least, the first where several are, and its value
// there: the paper's golden line (figures 5 and 6). The error says so if the curve is nowhere finite.
func (s *Sweep) SweetSpot(name string) (x, y float64, err error) {
	c, err := s.Curve(name)
	if err != nil {
		return 0, 0, err
	}
	y = math.Inf(1)
	for i, v := range c.Y {
		if v < y {
			x, y = s.X[i], v
		}
	}
	if math.IsInf(y, 1) {
		return 0, 0, fmt.Errorf("experiment: %s is nowhere finite", name)
	}
	return x, y, nil
}

// MeanSweep returns the means of sweeps over several rewards, with their standard deviations (÷n): the points and
// error bars of the paper's figures 4 to 6. Best is the mean of theirs. The sweeps must be of the same strengths and curves.
func MeanSweep(list ...*Sweep) (*Sweep, error) {
	if len(list) == 0 {
		return nil, errors.New("experiment: the mean of no sweeps")
	}
	first, n := list[0], float64(len(list))
	out := &Sweep{Guide: first.Guide, X: first.X}
	for _, s := range list {
		same := func(a, b Curved) bool { return a.Name == b.Name && len(a.Y) == len(b.Y) }
		if !slices.Equal(s.X, first.X) || !slices.EqualFunc(s.Curves, first.Curves, same) {
			return nil, errors.New("experiment: sweeps of different strengths or curves have no mean")
		}
		out.Best += s.Best / n
	}
	for k, c := range first.Curves {
		m := Curved{Name: c.Name, Y: make([]float64, len(c.Y)), Std: make([]float64, len(c.Y))}
		for _, s := range list {
			m.Floor += s.Curves[k].Floor / n
			m.High += s.Curves[k].High / n
		}
		values := make([]float64, len(list))
		for i := range m.Y {
			for j, s := range list {
				values[j] = s.Curves[k].Y[i]
			}
			m.Y[i], m.Std[i] = meanStd(values)
		}
		out.Curves = append(out.Curves, m)
	}
	return out, nil
}

// meanStd returns the mean and the standard deviation (÷n); +Inf and 0 where a value is infinite.
func meanStd(x []float64) (mean, std float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		return mean, 0
	}
	for _, v := range x {
		std += (v - mean) * (v - mean) / n
	}
	return mean, math.Sqrt(std)
}

// CommonSweetSpot returns the strength at which the curves of that name, each in units of its value at the first
// strength, have the least mean: one golden line for several rewards. The sweeps must be of the same strengths.
func CommonSweetSpot(name string, list ...*Sweep) (float64, error) {
	if len(list) == 0 {
		return 0, errors.New("experiment: the sweet spot of no sweeps")
	}
	sum := make([]float64, len(list[0].X))
	for _, s := range list {
		c, err := s.Curve(name)
		if err != nil {
			return 0, err
		}
		if !slices.Equal(s.X, list[0].X) {
			return 0, errors.New("experiment: sweeps of different strengths have no common sweet spot")
		}
		for i, y := range c.Y {
			sum[i] += y / c.Y[0]
		}
	}
	at, least := 0.0, math.Inf(1)
	for i, y := range sum {
		if y < least {
			at, least = list[0].X[i], y
		}
	}
	if math.IsInf(least, 1) {
		return 0, fmt.Errorf("experiment: %s is nowhere finite", name)
	}
	return at, nil
}
