package d3pm_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// pairSteps returns the training steps asked for, or skips the test.
func pairSteps(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("DDPS_PAIR_STEPS"))
	if err != nil {
		t.Skip("set DDPS_PAIR_STEPS, such as to 2000, to train on Heights")
	}
	return n
}

// Training on 20,000 paths of Heights gains about 0.02 nats a path on the chain, on held-out paths: as much as the
// number of paths allows (longer training overfits), and two thirds of what the law that made the data would gain
// (0.030 ± 0.014 by enumeration).
func TestPairLearnsHeights(t *testing.T) {
	steps := pairSteps(t)
	data, err := datasets.Heights(20000, 0)
	if err != nil {
		t.Fatal(err)
	}
	train, held := data.Prune().Split(0.1, 0)
	m := pairModel(t, train, 1, d3pm.DefaultPair())
	cfg := d3pm.DefaultTrain()
	cfg.Steps, cfg.Batch, cfg.EvalEvery, cfg.EvalSize = steps, 64, max(1, steps/10), 8192
	cfg.Optim.LR, cfg.Optim.WeightDecay = 1e-2, 0.1
	trainer, err := d3pm.NewTrainer(m, pairSource(t, m, train), pairSource(t, m, held), cfg)
	if err != nil {
		t.Fatal(err)
	}
	start, last, sum, n := time.Now(), d3pm.EvalInfo{}, 0.0, 0
	err = trainer.Run(context.Background(), d3pm.Hooks{
		Step: func(i d3pm.StepInfo) { sum, n = sum+i.ChainCE-i.Loss.CE, n+1 },
		Eval: func(e d3pm.EvalInfo) {
			t.Logf("step %5d, %3.0f s: held-out CE %.4f, the chain's %.4f, gain %.4f; in training %.4f",
				e.Step, time.Since(start).Seconds(), e.CE, e.ChainCE, e.Gain(), sum/float64(n))
			last, sum, n = e, 0, 0
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last.Gain() < 0.014 {
		t.Errorf("gain %.4f, want about 0.02", last.Gain())
	}
}
