package header_test

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/header"
)

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		row  []string
		want []int
	}{
		"years and covariates":    {[]string{"country", "1980", "1990", "2000", "sex"}, []int{1, 2, 3}},
		"numbers alone":           {[]string{"15", "16", "17"}, []int{0, 1, 2}},
		"two numbers":             {[]string{"id", "1", "2"}, nil},
		"another number":          {[]string{"7", "id", "1", "2", "3"}, nil},
		"steps of two sizes":      {[]string{"id", "1", "2", "4"}, nil},
		"downwards":               {[]string{"id", "3", "2", "1"}, nil},
		"a name among them":       {[]string{"1", "2", "x", "3"}, nil},
		"words with their number": {[]string{"id", "a15", "a16", "a17"}, nil},
	} {
		got, err := header.Run(c.row)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var at []int
		if got != nil {
			at = got.At
		}
		if !slices.Equal(at, c.want) {
			t.Errorf("%s: columns %v, expected %v", name, at, c.want)
		}
	}
}

func TestRunOver(t *testing.T) {
	states := [][]string{{"id", "1", "2", "3", "4", "5", "6"}, {"1", "S", "S", "S", "M", "M", "M"},
		{"2", "S", "M", "M", "M", "M", "M"}}
	coded := [][]string{{"id", "1", "2", "3", "4", "5", "6"}, {"x", "1", "1", "1", "2", "2", "3"},
		{"y", "2", "2", "1", "1", "1", "3"}}
	few := [][]string{{"id", "1990", "1991", "1992"}, {"x", "S", "S", "M"}, {"y", "M", "M", "M"}}
	walks := [][]string{{"home", "1", "2", "3", "4", "5"}, {"home", "6", "7", "8", "2", "1"}, {"home", "9", "3", "2", "6",
		"1"}}
	numbers := [][]string{{"1", "2", "3"}, {"4", "1", "2"}, {"3", "2", "4"}}
	for name, c := range map[string]struct {
		rows        [][]string
		sure, doubt bool
	}{
		"states":  {states, true, true}, // the column id has numbers of the header, its own columns have none
		"coded":   {coded, true, true},  // states 1, 2, 3 are half of the header's numbers
		"few":     {few, false, true},
		"walks":   {walks, false, false},
		"numbers": {numbers, false, false},
		"years":   {[][]string{{"2001", "2002", "2003"}, {"A", "A", "B"}, {"B", "A", "B"}}, false, true},
	} {
		got, doubt, err := header.RunOver(c.rows)
		if err != nil || (got != nil) != c.sure || doubt != c.doubt {
			t.Errorf("%s: %v, doubt %v, %v, expected sure %v, doubt %v", name, got, doubt, err, c.sure, c.doubt)
		}
	}
}
