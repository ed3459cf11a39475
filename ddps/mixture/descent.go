package mixture

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// When a fit looks at the validation paths, and when it has settled.
const (
	settleEvery    = 10   // rounds
	settlePatience = 3    // times
	settleBy       = 1e-5 // of the NLL
)

// errSettled ends a fit.
var errSettled = errors.New("settled")

// descent is a fit under way: an optimize.Recorder of its rounds.
type descent struct {
	f        *penalised
	unit     []float64 // by parameter
	x, slope []float64 // where the loss was computed last, and its gradient in units
	at       []float64 // x in units
	each     func(round int) error
	err      error // of each
	fit      *Fitted
	last     float64 // loss when it was looked at last
	mark     float64 // validation NLL that waited counts from
	waited   int     // looks since then
}

// loss returns the loss at z, in units, and keeps its gradient, which comes with it.
func (w *descent) loss(z []float64) float64 {
	w.at = append(w.at[:0], z...)
	for i, u := range w.unit {
		w.x[i] = z[i] * u
	}
	loss := w.f.loss(w.x, w.slope)
	for i, u := range w.unit {
		w.slope[i] *= u
	}
	return loss
}

// grad sets grad to the gradient of loss.
func (w *descent) grad(grad, z []float64) {
	w.moveTo(z)
	copy(grad, w.slope)
}

// moveTo computes the loss at z unless that is where it was computed last.
func (w *descent) moveTo(z []float64) {
	if !slices.Equal(z, w.at) {
		w.loss(z)
	}
}

// Init implements optimize.Recorder.
func (w *descent) Init() error { return nil }

// Record implements optimize.Recorder: it counts the rounds and ends the fit where it has settled.
func (w *descent) Record(l *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	switch op {
	case optimize.InitIteration:
		w.last = l.F
		return nil
	case optimize.MajorIteration:
	default:
		return nil
	}
	w.fit.Rounds++
	if w.each != nil {
		if w.err = w.each(w.fit.Rounds); w.err != nil {
			return w.err
		}
	}
	if w.fit.Rounds%settleEvery > 0 {
		return nil
	}
	w.look(l.X)
	fell := w.last - l.F
	w.last = l.F
	if w.fit.Settled = fell < settleBy*math.Abs(l.F) || w.waited >= settlePatience; w.fit.Settled {
		return errSettled
	}
	return nil
}

// look keeps z if it is the best so far on the validation paths.
func (w *descent) look(z []float64) {
	if w.f.valid == nil {
		return
	}
	w.moveTo(z)
	nll := w.f.validation(w.x)
	if w.fit.X == nil || nll < w.fit.Validation {
		w.fit.X, w.fit.Validation = append(w.fit.X[:0], w.x...), nll
	}
	if w.waited++; nll < w.mark-settleBy*math.Abs(nll) {
		w.mark, w.waited = nll, 0
	}
}

// end returns the fit that ended with r.
func (w *descent) end(r *optimize.Result) *Fitted {
	w.fit.Loss = r.F
	w.fit.Settled = w.fit.Settled || r.Status == optimize.GradientThreshold
	if w.f.valid == nil {
		w.moveTo(r.X)
		w.fit.X = w.x
	} else if w.fit.Rounds%settleEvery > 0 || w.fit.Rounds == 0 {
		w.look(r.X)
	}
	return w.fit
}

// validation returns the NLL of the validation paths, in nats per path, for the parameters x whose messages are at
// hand.
func (f *penalised) validation(x []float64) float64 {
	return (f.nll(f.valid, f.check, x[f.V*f.K+f.K:]) - f.valid.base) / f.valid.total
}
