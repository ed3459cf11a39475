package compare

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Feature is a statistic of walks that says something where no walk stands often enough for distances of whole paths:
// a mean or a share of the reference and of the samples, and the distance of their distributions.
type Feature struct {
	Key, Name          string
	Reference, Samples float64 // the mean, or the share in 0…1; NaN where there is none
	Share              bool    // they are shares
	Value                      // of the distance, ½ L1 in 0…1; Floor and High are those of samples of the reference
}

// The features, by key.
const (
	FeatureLength  = "lengths"  // places of a walk
	FeatureStart   = "starts"   // where walks begin
	FeatureEnd     = "ends"     // where they end
	FeatureReturn  = "returns"  // walks that end where they begin
	FeatureRevisit = "revisits" // walks that come back to a place after they left it
	FeatureEdge    = "edges"    // share of all moves by pair of places
)

// Features compares samples with a target by lengths, starts, ends, returns to the start, revisits and the use of
// edges. Where the target is a finite sample (Target.Walks), the sampling floor is the distance of two samples of it,
// one of so many walks and one as large as the samples. reps is the number of draws behind each floor (0: none).
// Features in which no path of target or samples differs are left out. O(reps·(paths + walks)·L).
func Features(ctx context.Context, t *Target, paths []ddps.Path, reps int, seed uint64) ([]Feature, error) {
	if reps < 0 {
		return nil, fmt.Errorf("compare: features: %d draws, must be at least 0", reps)
	}
	f := newFeaturer(t.Graph)
	of := make([]walkOf, len(t.Paths))
	exact, got := &counted{}, &counted{}
	for i, p := range t.Paths {
		of[i] = f.of(p)
		exact.add(of[i], t.P[i])
	}
	for i, p := range paths {
		if err := t.Graph.Check(p); err != nil {
			return nil, fmt.Errorf("compare: sample %d: %w", i+1, err)
		}
		got.add(f.of(p), 1)
	}
	list := make([]Feature, 6)
	for i, name := range [6][2]string{{FeatureLength, "length, mean"}, {FeatureStart, "starts"}, {FeatureEnd, "ends"},
		{FeatureReturn, "return to the start"}, {FeatureRevisit, "come back to a place"}, {FeatureEdge, "use of edges"}} {
		list[i] = Feature{Key: name[0], Name: name[1], Reference: exact.mean(i), Samples: got.mean(i), Share: i == 3 ||
			i == 4,
			Value: Value{t.rounded(exact.distance(got, i), len(paths)), math.NaN(), math.NaN()}}
	}
	if err := floors(ctx, t, of, list, exact, [2]int{t.Walks, len(paths)}, reps, seed); err != nil {
		return nil, err
	}
	out := list[:0]
	for i, x := range list {
		if degenerate := one(exact.hist[i]) && one(got.hist[i]) && x.Value.Value == 0; !degenerate {
			out = append(out, x)
		}
	}
	return out, nil
}

// one reports whether a histogram has one class at most.
func one(x []float64) bool {
	n := 0
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n < 2
}

// floors sets the floors of all features, of samples of the sizes n: of the reference (0: exact) and of the samples.
func floors(ctx context.Context, t *Target, of []walkOf, list []Feature, exact *counted, n [2]int, reps int,
	seed uint64) error {
	by, _ := ddps.NewChoice(len(t.P), t.P) // a distribution: no error
	draw := func(rng *rand.Rand, n int) *counted {
		times, c := make([]int, len(of)), &counted{}
		for range n {
			times[by.Draw(rng)]++
		}
		for i, k := range times {
			c.add(of[i], float64(k))
		}
		return c
	}
	for r := range reps {
		if err := ctx.Err(); err != nil {
			return err
		}
		rng, reference := ddps.Rand(seed, uint64(r)), exact
		if n[0] > 0 {
			reference = draw(rng, n[0])
		}
		samples := draw(rng, n[1])
		for i := range list {
			d := reference.distance(samples, i)
			if r == 0 {
				list[i].Floor, list[i].High = 0, math.Inf(-1)
			}
			list[i].Floor += d / float64(reps)
			list[i].High = max(list[i].High, d)
		}
	}
	return nil
}
