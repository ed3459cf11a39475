package gru

import (
	"math"
	"testing"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Without a budget schedules are shorter where steps have very many outputs, and as always where they have few.
func TestSuggestWide(t *testing.T) {
	const copies = 400_000
	for width, brief := range map[int]bool{40: false, 400: true, 1000: true} {
		all := make([][]int, 1+2*width)
		for v := range 1 + width {
			for k := range width {
				first := 1
				if v > 0 {
					first += width
				}
				all[v] = append(all[v], first+k)
			}
		}
		g, err := ddps.New([]int{1, width, width}, all)
		if err != nil {
			t.Fatal(err)
		}
		f := &fitting{y: newLayout(g), report: Report{Brief: 1}}
		if f.training, err = f.y.data("training", Sample{[]ddps.Path{{0, 1, 1 + width}}, []float64{copies}}); err != nil {
			t.Fatal(err)
		}
		if n := f.training.outputs(g); n != float64(width) {
			t.Errorf("%d outputs a step, expected %d", int(n), width)
		}
		usual := Suggest(f.training.steps(), width)
		f.suggest()
		if got := f.cfg.Settings[0].Epochs; (got < usual[0].Epochs) != brief || got < 1 ||
			math.Abs(f.report.Brief-got/usual[0].Epochs) > 1e-12 {
			t.Errorf("%d outputs: %v epochs, usually %v, %+v", width, got, usual[0].Epochs, f.report)
		}
		f.cfg = Config{Budget: time.Hour}
		if f.suggest(); f.cfg.Settings[0] != usual[0] {
			t.Errorf("%d outputs and a budget: %+v", width, f.cfg.Settings[0])
		}
	}
}
