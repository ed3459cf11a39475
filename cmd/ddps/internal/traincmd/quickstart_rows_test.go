package traincmd

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/train"
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

// Training that gains nothing says so, and what may help.
func TestKeptNothing(t *testing.T) {
	if got := kept([]train.EvalInfo{{Step: 10, CE: 7, BaseCE: 6.98}}); !strings.Contains(got, "no gain over the start") ||
		!strings.Contains(got, "may help") {
		t.Error(got)
	}
	evals := []train.EvalInfo{{Step: 10, CE: 6.9, BaseCE: 6.98, Best: true}, {Step: 20, CE: 7, BaseCE: 6.98}}
	if got := kept(evals); got !=
		"validation loss 6.9000 nats per path, without the network 6.9800: gain +0.0800 at step 10" {
		t.Error(got)
	}
}
