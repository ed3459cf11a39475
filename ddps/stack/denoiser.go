package stack

import (
	"context"
	"errors"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

var errIntractable = errors.New("has no exact posterior given x_t")

// Denoiser is the exact denoiser of the tractable parts of a stack under uniform noise of every row: given x_t the path
// is a mixture of theirs,
//
//	P(path | x_t) ∝ Σ_k ω_k P_k(path) P(x_t | path),
//
// over the parts that are chains on product graphs of at most 2²⁰ edges; one of a proposal stands for a context model
// that is larger. Of parts without an exact posterior, such as networks, Left names which; Whole has them too, by
// weighted draws (corrected). The rows are then to three quarters those of the other parts, and to one quarter those of
// the first-order chains nearest to the networks. Safe for concurrent use. What it holds is made when first needed.
type Denoiser struct {
	stack *Stack
	abar  []float64
	spare *chain.Distribution

	known sync.Once // of left, near, and parts and weight without the nearest chains
	once  sync.Once

	parts  []*mixture.Denoiser
	weight []float64 // sum 1
	rows   []float64 // [E] the rows before any x_t
	left   []string
	near   []int     // parts that have a nearest chain in their place
	pool   sync.Pool // *denoised

	even sync.Once // of bias
	bias float64   // of the estimate of log E w without any x_t
}

// NewDenoiser makes the denoiser of a stack. abar[t] is ᾱ_t for t in 0…T. spare takes the parts' place where none is
// tractable.
func NewDenoiser(s *Stack, abar []float64, spare *chain.Distribution) *Denoiser {
	return &Denoiser{stack: s, abar: abar, spare: spare}
}

// sort finds out which parts are tractable.
func (d *Denoiser) sort() {
	d.known.Do(func() {
		var proposal *mixture.Mixture
		for _, p := range d.stack.Parts {
			if p.Proposal {
				proposal, _ = chains(p.Distribution)
			}
		}
		for k, p := range d.stack.Parts {
			if p.Weight == 0 {
				continue
			}
			m, err := chains(p.Distribution)
			tractable, exact := tractableOf(p.Distribution)
			if err != nil && tractable != nil && proposal != nil {
				m, proposal = proposal, nil
				d.left = append(d.left, p.Name+" (a smaller context model in its place)")
			} else if err != nil {
				d.left = append(d.left, p.Name)
				if _, ok := p.Distribution.(Stepper); ok {
					d.near = append(d.near, k)
				}
				continue
			} else if !exact {
				d.left = append(d.left, p.Name+" (without its discount of visited places in its place)")
			}
			d.parts, d.weight = append(d.parts, mixture.NewDenoiser(m, d.abar)), append(d.weight, p.Weight)
		}
		if len(d.parts) == 0 {
			d.left = append(d.left, "a first-order chain takes their place")
		}
	})
}

// init makes the parts and the nearest chains.
func (d *Denoiser) init() {
	d.once.Do(func() {
		d.sort()
		total := floats.Sum(d.weight)
		var near []*mixture.Mixture
		for _, k := range d.near {
			c, err := d.stack.nearest(context.Background(), k, d.stack.Parts[k].Distribution.(Stepper))
			if err != nil {
				panic("stack: " + err.Error()) // of a context that does not end
			}
			near = append(near, mixture.Of(c))
		}
		if len(d.parts) == 0 && near == nil {
			near = append(near, mixture.Of(d.spare))
		}
		share := defended(total) / float64(max(1, len(near)))
		for _, m := range near {
			d.parts, d.weight = append(d.parts, mixture.NewDenoiser(m, d.abar)), append(d.weight, share)
			total += share
		}
		for k := range d.weight {
			d.weight[k] /= total
		}
		d.rows = make([]float64, d.Graph().NumEdges())
		p := d.denoised()
		p.Weigh(nil, 0, nil)
		p.rows(d.rows)
		chain.NormaliseRows(d.Graph(), d.rows, d.parts[0].Rows())
		d.pool.New = func() any { return d.denoised() }
	})
}

// Left says which parts that have a weight have no exact posterior given x_t; "" for none.
func (d *Denoiser) Left() string {
	d.sort()
	return strings.Join(d.left, ", ")
}

// Graph returns the graph of the paths.
func (d *Denoiser) Graph() *ddps.LayeredGraph { return d.stack.Graph() }

// Stack returns the stack.
func (d *Denoiser) Stack() *Stack { return d.stack }

// LogProb returns log P(p) under the stack, before any x_t.
func (d *Denoiser) LogProb(p ddps.Path) (float64, error) {
	var out [1]float64
	err := d.stack.LogProb([]ddps.Path{p}, out[:])
	return out[0], err
}

// Whole returns the distribution of the path under the stack, once Weigh is called.
func (d *Denoiser) Whole() chain.PathDistribution {
	d.init()
	return d.corrected(d.denoised(), false)
}

// corrected returns x, or, where parts have no exact posterior, what corrects it.
func (d *Denoiser) corrected(x *denoised, condition bool) chain.PathDistribution {
	if len(d.left) == 0 {
		return x
	}
	return &corrected{denoised: x, d: d, condition: condition}
}

func (d *Denoiser) denoised() *denoised {
	x := &denoised{weight: d.weight, class: make([]float64, len(d.parts))}
	for _, p := range d.parts {
		x.parts = append(x.parts, p.Whole())
	}
	return x
}

// Given is Whole under a condition, as mixture.Denoiser.Given; nil where no path of the parts meets it.
func (d *Denoiser) Given(l *chain.Product, logw []float64) chain.PathDistribution {
	d.init()
	x := &denoised{}
	for k, p := range d.parts {
		if given := p.Given(l, logw); given != nil {
			x.parts, x.weight = append(x.parts, given), append(x.weight, d.weight[k])
		}
	}
	if x.parts == nil {
		return nil
	}
	x.class = make([]float64, len(x.parts))
	return d.corrected(x, true)
}

// Ratio returns ᾱ_t/(1−ᾱ_t).
func (d *Denoiser) Ratio(t int) float64 { return d.abar[t] / (1 - d.abar[t]) }

// Posterior sets pi, [batch, edge], to the rows of the path given x_t, for each of xt at time t in 1…T. Vertices whose
// evidence is 0 in float64 keep the rows before any x_t. The error says so if pi has the wrong length or t is out of
// range. O(edges of the product graphs) a sample. It implements d3pm.Denoiser.
func (d *Denoiser) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	if err := chain.CheckPosterior(d.Graph(), d.abar, len(pi), len(xt), t); err != nil {
		return err
	}
	d.init()
	s := d.pool.Get().(*denoised)
	defer d.pool.Put(s)
	E := d.Graph().NumEdges()
	clear(pi)
	for i, x := range xt {
		row := pi[i*E : (i+1)*E]
		s.Weigh(x, d.Ratio(t), nil)
		s.rows(row)
		chain.NormaliseRows(d.Graph(), row, d.rows)
	}
	return nil
}
