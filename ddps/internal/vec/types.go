package vec

type (
	Lane   = [8]float64
	Choice = [8]int64
	Single = [8]float32
)
const Least, Most, Normal, Limit = 0x1p-960, 0x1p960, 0x1p-1022, 1e300

const Ln2Hi, Ln2Lo = 0.693359375, -2.12194440e-4

var ExpPoly = [6]float32{
	1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
}
