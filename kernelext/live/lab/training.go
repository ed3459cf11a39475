package lab

import (
	"fmt"
	"time"

	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/kernelext"
)

// redraw is the shortest time between two sights of a training curve.
const redraw = 2 * time.Second

// training shows a run: a progress bar, and in its place the curve as soon as there is one to see.
type training struct {
	dir   string
	place *kernelext.Place
	fits  *kernelext.Progress // of a fit, before the first step
	bar   *kernelext.Progress
	drawn time.Time // when the curve was last shown
	curve bool      // it was
	last  train.StepInfo
	gain  string
}

func (t *training) fit(round, rounds int) {
	if t.fits == nil {
		t.fits = kernelext.NewProgressAt(t.place, "fit", rounds)
	}
	t.fits.Set(round, "")
}

func (t *training) step(s train.StepInfo) {
	t.last = s
	if t.bar == nil {
		t.drawn = time.Now()
		t.bar = kernelext.NewProgressAt(t.place, "train", s.Steps)
	}
	if time.Since(t.drawn) >= redraw {
		t.draw(fmt.Sprintf("step %d of %d: loss %.3f%s", s.Step, s.Steps, s.Loss.Total, t.gain))
	}
	if !t.curve {
		t.bar.Set(s.Step, fmt.Sprintf("loss %.3f%s", s.Loss.Total, t.gain))
	}
}

func (t *training) eval(e train.EvalInfo) { t.gain = fmt.Sprintf(", validation gain %+.4f", e.Gain()) }

// end shows the whole curve.
func (t *training) end() {
	switch {
	case t.bar == nil && t.fits != nil:
		t.fits.End()
	case t.bar != nil:
		t.draw(fmt.Sprintf("%d steps: loss %.3f%s", t.last.Step, t.last.Loss.Total, t.gain))
	}
}

// draw shows the curve. A log that cannot be read leaves things as they are: it is no reason to end a run.
func (t *training) draw(title string) {
	t.drawn = time.Now()
	p, err := TrainingPlot(t.dir)
	if err != nil {
		return
	}
	p.Title.Text = title
	t.curve = true
	t.place.Show(p)
}
