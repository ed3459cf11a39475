package datasets_test

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// Nil counts are 1 each, for every method.
func TestNilCounts(t *testing.T) {
	ones, err := datasets.All(ddps.Example(), 100)
	if err != nil {
		t.Fatal(err)
	}
	d := &datasets.Data{Graph: ones.Graph, Paths: ones.Paths}
	if d.Total() != ones.Total() || !slices.Equal(d.Weights(), ones.Weights()) || d.Count(3) != 1 {
		t.Errorf("total %d, weights %v", d.Total(), d.Weights())
	}
	train, held := d.Split(.05, 1)
	want, rest := ones.Split(.05, 1)
	if !slices.Equal(train.Counts, want.Counts) || !slices.Equal(held.Counts, rest.Counts) || len(held.Paths) == 0 {
		t.Errorf("split in %v and %v", train.Counts, held.Counts)
	}
	own, err := d.Prune().Checked()
	if err != nil || !slices.Equal(own.Counts, ones.Counts) || d.Counts != nil {
		t.Errorf("checked: %v, %v", own, err)
	}
	if same, err := ones.Checked(); err != nil || same != ones {
		t.Errorf("data with counts are as they were: %v", err)
	}
}
