package study

// CostFile is the name of the results table of costs in a directory of results.
const CostFile = "costs.csv"

// CostRow is what one run of a part of the studies took, whole or stopped. A run that was killed has none.
type CostRow struct {
	Part    string  `csv:"part"` // "toy, mlp", "table 1"
	Preset  string  `csv:"preset"`
	Began   string  `csv:"began"`   // RFC 3339, UTC
	Seconds float64 `csv:"seconds"` // that went by
	CPU     float64 `csv:"cpu"`     // seconds that the program's threads ran in them; 0 where the system does not tell
	Rows    int     `csv:"rows"`    // that it added
	Ended   string  `csv:"ended"`   // "done", "stopped" or "failed"
	Built   string  `csv:"built"`   // of what program: revision, Go, platform
}
