package reproducecmd

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/experiment"
)

// Discrepancies stand beside their floors and the publication's; what is wrong is told.
func TestCommunities(t *testing.T) {
	cells := communitiesCells([]experiment.CommunitiesRow{{Data: experiment.CommunitiesFixed, Steps: 4000, Batch: 16, Clustering: 0.21, ClusteringFloor: 0.034}})
	for _, row := range cells {
		if len(row) != len(communitiesHeader) {
			t.Errorf("%d cells for %d columns: %q", len(row), len(communitiesHeader), row)
		}
	}
	if got := strings.Join(cells[0][:2], ", "); got != "fixed halves, 4,000 of 16" || cells[0][7] != "0.210 (0.0340)" || cells[1][7] != "0.144" {
		t.Errorf("cells %q", cells)
	}
}
