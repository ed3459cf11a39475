package study

// CostFile is the name of the ledger of costs in a folder of results.
const CostFile = "costs.csv"

// CostRow is what one sitting of a part of the experiments took, whole or stopped. A sitting that was killed has none.
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
