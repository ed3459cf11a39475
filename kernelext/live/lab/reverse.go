package lab

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/plots"
)

// Traced is draws on their way through the reverse process: Paths[k][i] is what x_t of sample i decodes to at
// t = Times[k], from noise at T to the sample itself at 0. It shows as several of these times side by side.
type Traced struct {
	Graph  *Graph
	Times  []int
	Paths  [][]Path
	Reward []float64 // by edge; nil for none
	T      int       // steps of the whole process
}

// Trace draws the paths that Sample draws, and keeps what they are at each reverse step on the way.
//
//	t := must(Trace(m, 1000, How{Guide: "max", Reward: u}))
//	Stepper(t)
func (l *Lab) Trace(m *Model, n int, how ...How) (*Traced, error) {
	var h How
	if len(how) > 0 {
		h = how[0]
	}
	if h.Particles > 0 {
		return nil, errors.New("lab: trace: particles are drawn anew on the way, and have no trace: leave Particles out")
	}
	s, err := h.sampler(m)
	if err != nil {
		return nil, err
	}
	if !h.Quiet {
		set, end := l.watch("trace")
		defer end()
		s.Progress = set
	}
	t := &Traced{Graph: m.Graph, Reward: h.Reward, T: m.Schedule.T()}
	t.Times, t.Paths, err = s.Trace(l.ctx(), n, h.Seed)
	return t, err
}

// At returns the draws after k reverse steps, 0…len(Times)−1.
func (t *Traced) At(k int) *Draws { return &Draws{t.Graph, t.Paths[k], t.Reward} }

// frames returns the pictures after the steps ks, on one scale.
func (t *Traced) frames(ks []int) ([]plots.Edges, error) {
	frames, most := make([]plots.Edges, len(ks)), 0.0
	for i, k := range ks {
		var err error
		if frames[i], err = t.At(k).edges(fmt.Sprintf("t = %d of %d", t.Times[k], t.T)); err != nil {
			return nil, err
		}
		most = max(most, frames[i].Scale())
	}
	for i := range frames {
		frames[i].Most = most
	}
	return frames, nil
}

// Figure draws six of the times, or as many as there are, side by side on one scale.
func (t *Traced) Figure() (*plots.Figure, error) {
	last, n := len(t.Times)-1, min(6, len(t.Times))
	ks := make([]int, n)
	for i := range ks {
		ks[i] = i * last / max(1, n-1)
	}
	frames, err := t.frames(ks)
	if err != nil {
		return nil, err
	}
	return plots.Multiples{Panels: frames}.Figure()
}

// Bundle returns the figure.
func (t *Traced) Bundle() map[string]any {
	f, err := t.Figure()
	if err != nil {
		return map[string]any{kernelext.MIMEText: err.Error()}
	}
	data, _ := kernelext.Bundle(f)
	data[kernelext.MIMEText] = fmt.Sprintf("figure: %d paths at %d times from t = %d to 0", len(t.Paths[0]), len(t.Times),
		t.T)
	return data
}

// Stepper shows a trace under a slider: what the paths are after each reverse step, on one scale.
func (l *Lab) Stepper(t *Traced) error {
	ks := make([]int, len(t.Times))
	for k := range ks {
		ks[k] = k
	}
	frames, err := t.frames(ks)
	if err != nil {
		return err
	}
	return l.Interact(func(s State) any { return frames[s.Int(0)] },
		Slider{Name: "reverse steps done", Max: float64(len(ks) - 1), Step: 1})
}
