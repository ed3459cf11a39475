package earlier

import "testing"

// Rows of table 1 had their graph in the preset's name, rows of rewards did not have which paths attain the maximum,
// and rows of a training not its seed and steps.
func TestTable1OfEarlierVersion(t *testing.T) {
	for old, want := range map[string]string{
		"method,preset,seed\nDDPS,cpu,0\n":       "method,graph,preset,seed\nDDPS,rq1,quick,0\n",
		"method,preset,seed\nDDPS,paper,0\n":     "method,graph,preset,seed\nDDPS,rq1,paper,0\n",
		"method,preset,seed\nDDPS,quick,0\n":     "method,graph,preset,seed\nDDPS,example,quick,0\n",
		"graph,rare,edges,paths\ntoy,true,3,1\n": "graph,rare,edges,r_min,optimal,paths\ntoy,true,3,-1,,1\n",
		"part,preset,seconds,cpu\nx,cpu,1,2":     "part,preset,seconds,cpu\nx,quick,1,2\n",
		"graph,districts_q999\nridge,1\n":        "graph,districts_q999,paths,network\nridge,1,0,none\n",
		"step,valid_low\n5,.1\n10,.2\n":          "step,valid_low,seed,steps\n5,.1,0,10\n10,.2,0,10\n",
	} {
		if got, old := Table([]byte(old)); string(got) != want || !old {
			t.Errorf("%q, expected %q", got, want)
		}
		if got, old := Table([]byte(want)); string(got) != want || old {
			t.Errorf("%q, expected it as it was", got)
		}
	}
}
