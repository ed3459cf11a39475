package d3pm

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// errOther says that something is not of the sampler's graph. Data are pruned before a model is fitted, so that the
// graph at hand is often the one before.
func errOther(what string) error {
	return fmt.Errorf("the %s is of another graph than the sampler: make it of m.Graph, the model's own (pruned) graph",
		what)
}

// Check returns the error that Sample would give for the settings, without any work: what is missing, out of range, or
// a condition that the model can never meet.
func (s *Sampler) Check() error {
	if _, err := s.check(1); err != nil {
		return fmt.Errorf("d3pm: sample: %w", err)
	}
	return nil
}

// check returns the times to visit, or what is wrong with the settings.
func (s *Sampler) check(n int) ([]int, error) {
	switch {
	case n <= 0:
		return nil, fmt.Errorf("n is %d, must be above 0", n)
	case math.IsNaN(s.Scale) || math.IsInf(s.Scale, 0):
		return nil, fmt.Errorf("λ is %v, must be a finite number", s.Scale)
	case s.Graph == nil || s.Denoiser == nil || s.Schedule == nil:
		return nil, errors.New("graph, denoiser and schedule must be set")
	}
	if err := errors.Join(s.checkDenoiser(), s.checkGuide()); err != nil {
		return nil, err
	}
	if err := s.checkCondition(s.Condition); err != nil {
		return nil, err
	}
	steps := s.Steps
	if steps == 0 {
		steps = min(DefaultSteps, s.Schedule.T())
	}
	return s.Schedule.times(steps)
}

// checkGuide refuses a scale without a guide, and a guide of another graph.
func (s *Sampler) checkGuide() error {
	if s.Guide == nil {
		if s.Scale != 0 {
			return fmt.Errorf("the guidance scale is %v, but there is no guide", s.Scale)
		}
		return nil
	}
	if g, ok := s.Guide.(interface{ Graph() *ddps.LayeredGraph }); ok && !g.Graph().Equal(s.Graph) {
		return errOther("guide")
	}
	if r, ok := s.Guide.(interface{ Reward() []float64 }); ok && len(r.Reward()) != s.Graph.NumEdges() {
		return errOther("guide's reward")
	}
	if _, ok := s.Guide.(interface{ Graph() *ddps.LayeredGraph }); !ok {
		return sets(s.Guide, s.Graph)
	}
	return nil
}

// sets is the error of a guide that does not tell its graph and does not set all of a gradient at g's uniform rows: one
// of another graph may leave edges out, or reach beyond the slices.
func sets(guide Guide, g *ddps.LayeredGraph) (err error) {
	why := "it is of another graph than the sampler (make it of m.Graph, the model's own, pruned graph), or wrong"
	defer func() {
		if v := recover(); v != nil {
			r, ok := v.(runtime.Error)
			if !ok {
				panic(v)
			}
			err = fmt.Errorf("the guide fails at uniform rows: %w: %s", r, why)
		}
	}()
	const unset = 0x7ff8_0000_dd95_0001 // a NaN, which arithmetic hands on
	pi, grad := make([]float64, g.NumEdges()), slices.Repeat([]float64{math.Float64frombits(unset)}, g.NumEdges())
	chain.Softmax(g, pi, pi)
	guide.Gradient(pi, grad)
	if slices.ContainsFunc(grad, func(x float64) bool { return math.Float64bits(x) == unset }) {
		return fmt.Errorf("the guide's gradient is not set at all edges, or added to what is there: %s", why)
	}
	return nil
}

// checkCondition refuses a condition, nil for none, of another graph, or one that the denoiser can never meet: what its
// base gives probability 0, a residual network does not bring back. Denoisers without a method Prior have no base to
// check by.
func (s *Sampler) checkCondition(c Condition) error {
	if c == nil {
		return nil
	}
	l, _ := ProductOf(c)
	if own, ok := c.(interface {
		LogWeights() (*chain.Product, []float64)
	}); ok {
		l, _ = own.LogWeights()
	}
	if l != nil && !l.Base.Equal(s.Graph) {
		return errOther("condition")
	}
	if w, _ := WeightsOf(c, l); l == nil && w != nil && len(w) != s.Graph.NumEdges() {
		return errOther("condition")
	}
	if d, ok := s.Denoiser.(interface{ Prior() []float64 }); ok {
		if rows := d.Prior(); rows != nil {
			return impossible(c, rows)
		}
	}
	return nil
}

// checkDenoiser refuses a denoiser that says that it is of another graph.
func (s *Sampler) checkDenoiser() error {
	if d, ok := s.Denoiser.(interface{ Graph() *ddps.LayeredGraph }); ok && !d.Graph().Equal(s.Graph) {
		return errOther("denoiser")
	}
	if d, ok := s.Denoiser.(interface{ Prior() []float64 }); ok && d.Prior() != nil &&
		len(d.Prior()) != s.Graph.NumEdges() {
		return errOther("denoiser")
	}
	return nil
}

// posterior is a denoiser whose rows are checked.
type posterior struct {
	g *ddps.LayeredGraph
	d Denoiser
}

// of is Denoiser.Posterior. The error names the first row that is no distribution.
func (p posterior) of(pi []float64, xt []ddps.PALM, t int) error {
	if err := p.d.Posterior(pi, xt, t); err != nil {
		return err
	}
	for i, E := 0, p.g.NumEdges(); i < len(xt); i++ {
		for v := range p.g.NumVertices() {
			lo, hi := p.g.Edges(v)
			if row := pi[i*E+lo : i*E+hi]; len(row) > 0 && !isRow(row) {
				return fmt.Errorf("the denoiser gave %v for the edges out of %s at time %d, which is no distribution", row,
					p.g.Name(v), t)
			}
		}
	}
	return nil
}

// isRow reports whether a row's numbers are not negative and sum to 1 but for the rounding of float32.
func isRow(row []float64) bool {
	sum := 0.0
	for _, q := range row {
		if !(q >= 0) {
			return false
		}
		sum += q
	}
	return math.Abs(sum-1) < 1e-3
}
