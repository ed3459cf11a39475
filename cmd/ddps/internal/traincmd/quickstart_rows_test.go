package traincmd

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
)

// Where a target has more paths than the samples, the table has no distances of whole paths, of which KL may be
// negative, and says why; its rows have as many cells as the header.
func TestSparseRows(t *testing.T) {
	none := compare.Value{Value: math.NaN()}
	for _, sparse := range []bool{false, true} {
		rows := []compare.Row{{Name: "a", Sparse: sparse, L1: compare.Value{Value: 1.97}, KL: compare.Value{Value: -4.36},
			Districts: compare.Value{Value: .2}, Nats: none}}
		header, cells := rowHeader(rows), rowCells(rows)
		if len(cells[0]) != len(header) {
			t.Errorf("sparse %v: %q under %q", sparse, cells[0], header)
		}
		if slices.Contains(header, "KL") == sparse || slices.Contains(header, "L1") == sparse ||
			!slices.Contains(header, "districts ½L1") || (sparseText(rows) != "") != sparse {
			t.Errorf("sparse %v: %q, %q", sparse, header, sparseText(rows))
		}
	}
}
