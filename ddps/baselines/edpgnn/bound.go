package edpgnn

import "math"

// EntryLoss returns the least loss, summed over the levels, of scores of an entry that is 1 with probability p, else 0,
// and is read by itself: Σ_σ E[(A − E[A|x])²]/σ² with x = A + σe. Summed over the pairs of a graph it is what a
// network's loss is compared with: below it, the network has learned how entries hang together.
func EntryLoss(p float64, sigmas []float64) (sum float64) {
	if !(p > 0 && p < 1) {
		return 0
	}
	// E[(A − E[A|x])²] = E[A·(1 − E[A|x])] = p·∫φ(e)·P(A = 0 | 1 + σe) de, by the trapezoid rule
	const reach, steps = 8, 400
	const de = 2. * reach / steps
	for _, s := range sigmas {
		for i := range steps + 1 {
			e := -reach + float64(i)*de
			odds := math.Log(p/(1-p)) + (0.5+s*e)/(s*s) // log P(A = 1 | x)/P(A = 0 | x)
			none := 1 / (1 + math.Exp(min(odds, 50)))
			sum += p * none * math.Exp(-e*e/2) / math.Sqrt(2*math.Pi) * de / (s * s)
		}
	}
	return sum
}
