package table_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/table"
)

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		in, out []string
		note    string // of the note, or the error
		bad     bool
	}{
		{[]string{"1.5", "x", "", "1.234", "1,2,3", "A,B"}, []string{"1.5", "x", "", "1.234", "1,2,3", "A,B"}, "", false},
		{[]string{"12,5", "-7,250", "3"}, []string{"12.5", "-7.250", "3"}, "numbers with a decimal comma: 2", false},
		{[]string{"0,250", "2.5"}, []string{"0.250", "2.5"}, "numbers with a decimal comma: 1", false},
		{[]string{"1,234"}, []string{"1.234"}, `"1,234" has a comma before three digits`, true},
		{[]string{"1,5", "1.234"}, []string{"1.5", "1.234"}, `"1.234" has a point before three digits`, true},
	} {
		var d table.Decimals
		var out []string
		for _, s := range c.in {
			out = append(out, d.Text(s))
		}
		note, err := d.Done()
		if err != nil {
			note = err.Error()
		}
		if !slices.Equal(out, c.out) || (err != nil) != c.bad || !strings.HasPrefix(note, c.note) ||
			(note != "") != (c.note != "") {
			t.Errorf("%q: %q, %s", c.in, out, note)
		}
	}
}
