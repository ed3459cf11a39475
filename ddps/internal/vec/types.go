package vec

type (
	Lane   = [8]float64
	Choice = [8]int64
	Single = [8]float32
)
const Least, Most = 0x1p-960, 0x1p960
