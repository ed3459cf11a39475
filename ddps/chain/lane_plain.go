//go:build !goexperiment.simd || !amd64

package chain

func (l *lanes) back(m []lane, f []float64, lo, hi int) lane  { return l.backPlain(m, f, lo, hi) }
func (l *lanes) ahead(r []lane, f []float64, lo, hi int) lane { return l.aheadPlain(r, f, lo, hi) }
func (l *lanes) meet(r, m []lane, out []float64, lo, hi int)  { l.meetPlain(r, m, out, lo, hi) }
