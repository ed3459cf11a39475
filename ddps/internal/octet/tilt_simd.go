//go:build goexperiment.simd && amd64

package octet

import "simd/archsimd"

func tilt(g *Graph, pi, out, m, tops []Lane, w []float64) (bad uint8) {
	switch {
	case !vector:
		return tiltPlain(g, pi, out, m, tops, w)
	case wide:
		bad = tiltWide(g, pi, out, m, tops, asBits(w))
	default:
		bad = tiltNarrow(g, pi, out, m, tops, asBits(w))
	}
	archsimd.ClearAVXUpperBits()
	return bad
}

func climb(l *Lift, pi, p, m, tops []Lane, w []float64) (bad uint8) {
	switch {
	case !vector:
		return climbPlain(l, pi, p, m, tops, w)
	case wide:
		bad = climbWide(l, pi, p, m, tops, asBits(w))
	default:
		bad = climbNarrow(l, pi, p, m, tops, asBits(w))
	}
	archsimd.ClearAVXUpperBits()
	return bad
}

func descend(g *Graph, l *Lift, p, pi, out, reach []Lane) (bad uint8) {
	switch {
	case !vector:
		return descendPlain(g, l, p, pi, out, reach)
	case wide:
		bad = descendWide(g, l, p, pi, out, reach)
	default:
		bad = descendNarrow(g, l, p, pi, out, reach)
	}
	archsimd.ClearAVXUpperBits()
	return bad
}

func mean(l *Lift, p, m, tops, w []Lane) (bad uint8) {
	switch {
	case !vector:
		return meanPlain(l, p, m, tops, w)
	case wide:
		bad = meanWide(l, p, m, tops, w)
	default:
		bad = meanNarrow(l, p, m, tops, w)
	}
	archsimd.ClearAVXUpperBits()
	return bad
}

func ratios(g *Graph, s *Step, xs, xt []Choice, w []Lane) {
	switch {
	case !vector:
		ratiosPlain(g, s, xs, xt, w)
		return
	case wide:
		ratiosWide(g, s, xs, xt, w)
	default:
		ratiosNarrow(g, s, xs, xt, w)
	}
	archsimd.ClearAVXUpperBits()
}
