package stack

import (
	"errors"
	"math"

	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Weights returns the weights of a mixture that make validation paths most likely, by EM, and their mean −log p by
// weight: logp[k][i] is log P_k of path i, and w the paths' weights. The error says so if some path has probability 0
// in every part. Each round makes the paths likelier; it ends where the NLL falls by less than 1e-9.
func Weights(logp [][]float64, w []float64) (weight []float64, nll float64, err error) {
	K, total := len(logp), 0.0
	weight = make([]float64, K)
	for k := range weight {
		weight[k] = 1 / float64(K)
	}
	for _, x := range w {
		total += x
	}
	logs, post, sum := make([]float64, K), make([]float64, K), make([]float64, K)
	for last, round := math.Inf(1), 0; round < 1000; round++ {
		clear(sum)
		nll = 0
		for i, wi := range w {
			if wi == 0 {
				continue
			}
			for k := range logs {
				logs[k] = real.Log(weight[k]) + logp[k][i]
			}
			log := softmax(logs, post)
			if math.IsNaN(log) || math.IsInf(log, 0) {
				return nil, math.Inf(1), errors.New("stack: a validation path has probability 0 in every part")
			}
			nll -= wi / total * log
			for k, q := range post {
				sum[k] += wi * q
			}
		}
		if last-nll < 1e-9 {
			return weight, nll, nil
		}
		last = nll
		for k, x := range sum {
			weight[k] = x / total
		}
	}
	return weight, nll, nil
}
