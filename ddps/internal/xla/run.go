package xla

import (
	"math/rand/v2"

	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
)

// deviceWorker runs batches on a device. While one waits for its step there, others ready the random numbers of theirs.
type deviceWorker struct {
	*d3pm.Run
	*device
	rngs  []*rand.Rand
	draws []float64 // [batch, Draws] the next of each sample's stream
	x     []int32   // [vertex, batch]
	palm  ddps.PALM
	left  int // steps of the batch that are not reported
}

func newDeviceWorker(r *d3pm.Run, d *device) *deviceWorker {
	return &deviceWorker{Run: r, device: d, draws: make([]float64, d.kind.batch*d.table.Draws()),
		x: make([]int32, d.table.V*d.kind.batch), palm: make(ddps.PALM, r.Graph.NumVertices())}
}

// Batch is worker's batch.
func (w *deviceWorker) Batch(lo, hi int) bool {
	ok, err := w.reverse(lo, hi)
	if err == nil && !ok {
		err = w.Redraw(w.host, lo, hi) // in logarithms, and naming the logit that is none
	}
	if err != nil {
		w.Fail(err)
	}
	return err == nil && w.Report(w.left*(hi-lo))
}

// reverse runs the whole reverse process of the samples paths[lo…hi−1]; ok says that no number left the range of the
// device's arithmetic.
func (w *deviceWorker) reverse(lo, hi int) (ok bool, err error) {
	n := hi - lo
	w.left = len(w.Times) - 1
	w.start(lo, n)
	guide := w.guide(lo, n)
	x := engine.Tensor(w.x, w.table.V, w.kind.batch)
	defer func() { engine.Free(append(guide, x)...) }()
	for k, t := range w.Times[:len(w.Times)-1] {
		if w.Traced != nil {
			if err := w.decode(x, w.Traced[k][lo:hi]); err != nil {
				return false, err
			}
		}
		outs, err := w.step(x, guide, t, w.Times[k+1])
		if err != nil {
			return false, err
		}
		engine.Free(x)
		x = outs[0]
		if ok, err = w.advance(outs[1], n); !ok || err != nil {
			return false, err
		}
		if w.left--; !w.Report(n) {
			w.left = 0
			return true, nil
		}
	}
	return true, w.decode(x, w.Paths[lo:hi])
}

// start sets x_T and the first random numbers of the samples; places without a sample hold what they held.
func (w *deviceWorker) start(lo, n int) {
	w.rngs = w.rngs[:0]
	for k := range n {
		rng := ddps.Rand(w.Seed, uint64(w.First+(lo+k)%w.Per))
		w.Graph.Uniform(w.palm, rng)
		for v := range w.table.V {
			w.x[v*w.kind.batch+k] = w.palm[v]
		}
		for i := range w.row(k) {
			w.row(k)[i] = rng.Float64()
		}
		w.rngs = append(w.rngs, rng)
	}
}

// row returns the next random numbers of sample k.
func (w *deviceWorker) row(k int) []float64 {
	n := w.table.Draws()
	return w.draws[k*n : (k+1)*n]
}

// guide returns the tensors of each sample's λ and rewards, none without guidance.
func (w *deviceWorker) guide(lo, n int) []any {
	if !w.kind.guided {
		return nil
	}
	B, size := w.kind.batch, w.table.D*w.table.V
	lambda, u := make([]float64, B), make([]float64, size*B)
	padded := map[int][]float64{}
	for k := range n {
		c := (lo + k) / w.Per
		s := w.Each[c]
		if !guided(s) {
			continue
		}
		if padded[c] == nil {
			padded[c] = w.table.Pad(reward(s))
		}
		lambda[k] = s.Scale
		for i, r := range padded[c] {
			u[i*B+k] = r
		}
	}
	return []any{engine.Tensor(lambda, B), engine.Tensor(u, w.table.D, w.table.V, B)}
}

// step takes x from t to s.
func (w *deviceWorker) step(x any, guide []any, t, s int) ([]*tensors.Tensor, error) {
	abar := w.Schedule.Abar
	numbers := reverse.NewNumbers(abar[t], abar[s], s == 0).Flat()
	own := []any{engine.Tensor(w.draws, w.kind.batch, w.table.Draws()), engine.Tensor(numbers, len(numbers))}
	defer func() { engine.Free(own...) }()
	args := append(append([]any{}, w.stay...), guide...)
	args = append(append(args, x), own...)
	if w.net != nil {
		f := w.net.TimeFeatures(t)
		own = append(own, engine.Tensor(f, 1, len(f)))
		args = append(args, own[2])
	}
	return w.Call(w.spec, w.kind, w.build, args)
}

// advance moves each sample's random numbers on by those that the step took, used before its rows'.
func (w *deviceWorker) advance(used *tensors.Tensor, n int) (ok bool, err error) {
	defer engine.Free(used)
	ok = true
	err = tensors.ConstFlatData(used, func(used []int32) {
		for k, rng := range w.rngs {
			if used[k] < 0 {
				ok = false
				return
			}
			row := w.row(k)
			kept := copy(row, row[int(used[k])+w.table.Rows:])
			for i := kept; i < len(row); i++ {
				row[i] = rng.Float64()
			}
		}
	})
	return ok, err
}

// decode sets paths to what the samples of x decode to.
func (w *deviceWorker) decode(x any, paths []ddps.Path) error {
	return tensors.ConstFlatData(x.(*tensors.Tensor), func(x []int32) {
		for k := range paths {
			w.device.palm(w.palm, x, k)
			paths[k] = w.Graph.Decode(w.palm)
		}
	})
}
