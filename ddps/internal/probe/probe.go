// Package probe holds a backend to the right numbers of a small training step.
package probe

import (
	"fmt"
	"math"
	"time"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/dotgrad"
)

// Report is what Probe found of a backend. Times are in seconds.
type Report struct {
	Opened   string  `json:"opened"`        // what was opened, on one line
	Device   string  `json:"device"`        // its first device
	Open     float64 `json:"open_seconds"`  // to open it
	First    float64 `json:"first_seconds"` // to compile the step and run it once
	Step     float64 `json:"step_seconds"`  // the least of a few more runs
	MaxError float64 `json:"max_error"`     // the greatest error, relative to its matrix's greatest entry
}

// Sizes of Probe's matrices, and the error it allows: sums of some 50 products in float32 stay below 1e-6, those
// of a device that rounds the factors to TF32 or bfloat16 do not stay below 1e-4.
const (
	probeM, probeK, probeN = 48, 64, 32
	probeTolerance         = 1e-5
)

// Probe opens the backend that spec names, as backend.Open, and compares a matrix product and its gradients (by package
// dotgrad, which it installs for the process) with plain Go in float64:
//
//	R = A·B − C,  ∂½‖R‖²/∂A = R·Bᵀ,  ∂½‖R‖²/∂B = Aᵀ·R,  A [48, 64], B [64, 32].
//
// What the backend panics with is an error; a plugin that crashes takes the process along.
func Probe(spec string) (r Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("probe: %s: %v", spec, p)
		}
	}()
	start := time.Now()
	b, note, err := backend.OpenNoted(spec)
	if err != nil {
		return Report{}, err
	}
	defer b.Finalize()
	r = Report{Opened: note, Device: b.DeviceDescription(0), Open: time.Since(start).Seconds()}
	if err := r.step(b); err != nil {
		return r, fmt.Errorf("probe: %s: %w", spec, err)
	}
	return r, nil
}

// step runs the step on b and compares.
func (r *Report) step(b backends.Backend) error {
	dotgrad.Install()
	exec, err := graph.NewExec(b, func(x, y, z *graph.Node) []*graph.Node {
		r := graph.Sub(graph.Dot(x, y), z)
		return append([]*graph.Node{r}, graph.Gradient(graph.MulScalar(graph.ReduceAllSum(graph.Square(r)), 0.5), x, y)...)
	})
	if err != nil {
		return err
	}
	defer exec.Finalize()
	x, y, z := waves(probeM, probeK, 0.7), waves(probeK, probeN, 1.1), waves(probeM, probeN, 1.9)
	args := []any{x.tensor(), y.tensor(), z.tensor()}
	var out []*tensors.Tensor
	r.Step = math.Inf(1)
	for k := range 6 {
		start := time.Now()
		if out, err = exec.Exec(args...); err != nil {
			return err
		}
		for _, t := range out { // wait for the device
			t.MaterializeLocal()
		}
		if took := time.Since(start).Seconds(); k == 0 {
			r.First = took
		} else {
			r.Step = min(r.Step, took)
		}
	}
	return r.compare(out, x, y, z)
}

// compare compares what the step gave with plain Go.
func (r *Report) compare(out []*tensors.Tensor, x, y, z matrix) error {
	res := x.times(y).minus(z)
	want := []matrix{res, res.times(y.transposed()), x.transposed().times(res)}
	for k, name := range []string{"A·B − C", "the gradient in A", "the gradient in B"} {
		e, err := want[k].farthest(out[k])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !(e <= probeTolerance) { // or NaN
			return fmt.Errorf("%s is wrong by %.2g of its greatest entry, more than float32 allows (%g)", name, e,
				probeTolerance)
		}
		r.MaxError = max(r.MaxError, e)
	}
	return nil
}

// matrix is a dense matrix [rows, cols] in row order.
type matrix struct {
	rows, cols int
	at         []float64
}

// waves is a matrix of float32 numbers between −1 and 1 that have all bits of their mantissa in use.
func waves(rows, cols int, step float64) matrix {
	m := matrix{rows, cols, make([]float64, rows*cols)}
	for i := range m.at {
		m.at[i] = float64(float32(math.Sin(step * float64(i+1))))
	}
	return m
}

func (m matrix) tensor() *tensors.Tensor {
	flat := make([]float32, len(m.at))
	for i, v := range m.at {
		flat[i] = float32(v)
	}
	return tensors.FromFlatDataAndDimensions(flat, m.rows, m.cols)
}

func (m matrix) times(o matrix) matrix {
	p := matrix{m.rows, o.cols, make([]float64, m.rows*o.cols)}
	for i := range m.rows {
		for k := range m.cols {
			for j := range o.cols {
				p.at[i*o.cols+j] += m.at[i*m.cols+k] * o.at[k*o.cols+j]
			}
		}
	}
	return p
}

func (m matrix) minus(o matrix) matrix {
	d := matrix{m.rows, m.cols, make([]float64, len(m.at))}
	for i := range d.at {
		d.at[i] = m.at[i] - o.at[i]
	}
	return d
}

func (m matrix) transposed() matrix {
	t := matrix{m.cols, m.rows, make([]float64, len(m.at))}
	for i := range m.rows {
		for j := range m.cols {
			t.at[j*m.rows+i] = m.at[i*m.cols+j]
		}
	}
	return t
}

// farthest returns max|got − m| / max|m|.
func (m matrix) farthest(got *tensors.Tensor) (float64, error) {
	if want := shapes.Make(dtypes.Float32, m.rows, m.cols); !got.Shape().Equal(want) {
		return 0, fmt.Errorf("has shape %s, not %s", got.Shape(), want)
	}
	flat, err := tensors.CopyFlatData[float32](got)
	if err != nil {
		return 0, err
	}
	var off, size float64
	for i, v := range m.at {
		off = max(off, math.Abs(float64(flat[i])-v)) // NaN stays
		size = max(size, math.Abs(v))
	}
	return off / size, nil
}
