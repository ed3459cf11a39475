package memory

// Row is a row of the study's results table: a distribution under a condition, compared with the true
// distribution. Distances are ½L1 of features (datasets.DistrictDistribution, RevisitDistribution), with the mean and
// the 99.9% quantile of what as many exact draws show.
type Row struct {
	Graph         string  `csv:"graph"`
	Seed          uint64  `csv:"seed"`
	Condition     string  `csv:"condition"` // in the text form, "" for none
	Probability   float64 `csv:"probability"`
	Distribution  string  `csv:"distribution"`
	Samples       int     `csv:"samples"`
	Districts     float64 `csv:"districts"`
	DistrictFloor float64 `csv:"districts_floor"`
	DistrictHigh  float64 `csv:"districts_q999"`
	Revisits      float64 `csv:"revisits"`
	RevisitFloor  float64 `csv:"revisits_floor"`
	RevisitHigh   float64 `csv:"revisits_q999"`
	NLL           float64 `csv:"nll"`      // −log p a path, or its bound; NaN under a condition
	NLLTrue       float64 `csv:"nll_true"` // of the true distribution, on the same draws
	Paths         int     `csv:"paths"`    // distinct ones of the data; 0: not known
	Network       string  `csv:"network"`  // of the model
}

// same reports whether x is of the same grid point.
func (r Row) same(x Row) bool {
	return x.Graph == r.Graph && x.Seed == r.Seed && x.Condition == r.Condition && x.Distribution == r.Distribution &&
		x.Samples == r.Samples && x.Paths == r.Paths && x.Network == r.Network
}
