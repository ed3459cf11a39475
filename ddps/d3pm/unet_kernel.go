//go:build !goexperiment.simd || !amd64

package d3pm

func unetNorm(y, x []mlpLane, film []float32, by bool) { unetNormPlain(y, x, film, by) }
func unetMean(mean, a, b []float32)                    { unetMeanPlain(mean, a, b) }
