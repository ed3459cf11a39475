package d3pm

// Param is one named trainable array, row-major float32, living on the host.
type Param struct {
	Name  string
	Shape []int
	Data  []float32
}

// Loss is a batch's loss: means over examples of sums over on-path rows. VB is already times T.
type Loss struct{ Total, CE, VB float64 }

// add adds share times m.
func (l *Loss) add(m Loss, share float64) {
	l.Total += share * m.Total
	l.CE += share * m.CE
	l.VB += share * m.VB
}
