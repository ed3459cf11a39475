package table

import (
	"fmt"
	"regexp"
	"strings"
)

// Decimals reads the numbers of a table that may have decimal commas, as spreadsheets of half of the world write them.
type Decimals struct {
	commas int
	sure   bool   // one of them can be nothing else
	doubt  string // the first that may group thousands
	point  string // the first with a point that may group thousands, "" for none
}

var (
	withComma = regexp.MustCompile(`^[+-]?\d*,\d+$`)
	thousands = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}[,.]\d{3}$`)
)

// Text returns a number with a decimal comma with a point, other text as it is.
func (d *Decimals) Text(text string) string {
	text = strings.TrimSpace(text)
	grouped := thousands.MatchString(text)
	switch {
	case withComma.MatchString(text):
		d.commas++
		if d.sure = d.sure || !grouped; grouped && d.doubt == "" {
			d.doubt = strings.Clone(text)
		}
		return strings.Replace(text, ",", ".", 1)
	case grouped && d.point == "":
		d.point = strings.Clone(text)
	}
	return text
}

// Done returns a note on decimal commas, "" where there are none. The error is of numbers whose comma or point may
// group thousands.
func (d *Decimals) Done() (note string, err error) {
	switch {
	case d.commas == 0:
		return "", nil
	case !d.sure:
		return "", fmt.Errorf("%q has a comma before three digits, as all numbers with a comma have: is it a decimal comma, "+
			"or does it group thousands? write a point, or nothing", d.doubt)
	case d.point != "":
		return "", fmt.Errorf("%q has a point before three digits, and other numbers have decimal commas: does it group "+
			"thousands? write all with a point", d.point)
	}
	return fmt.Sprintf("numbers with a decimal comma: %d", d.commas), nil
}
