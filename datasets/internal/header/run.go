package header

import (
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/internal/names"
)

// least is how many numbers make a run.
const least = 3

// Run returns the columns of a header that are called by numbers in a row, as years, ages or months are: three or more
// whole numbers side by side with the same step up, and no other number in the row. It is nil where there are none.
// The error is of two columns for a count.
func Run(row []string) (*Wide, error) {
	c := &Wide{Count: -1}
	var run []int
	for i, name := range row {
		n, err := strconv.Atoi(strings.TrimSpace(name))
		if err != nil {
			continue
		}
		k := len(run)
		switch {
		case k > 0 && c.At[k-1] != i-1, k > 0 && n <= run[k-1], k > 1 && n-run[k-1] != run[1]-run[0]:
			return nil, nil
		}
		run, c.At = append(run, n), append(c.At, i)
	}
	if len(run) < least {
		return nil, nil
	}
	return c, c.Rest(row)
}

// RunOver returns the columns of Run of the first row where the rows below show that it is a header: five or more
// numbers, half of them or more no cells of their columns below, and other names, which stand nowhere below. doubt
// reports whether it may be a header: it has such names or, if it has none, no number of it stands below.
func RunOver(rows [][]string) (c *Wide, doubt bool, err error) {
	const sure = 5
	c, err = Run(rows[0])
	if c == nil || len(rows) < 3 {
		return nil, false, nil
	}
	within := func(i int) bool { return c.At[0] <= i && i <= c.At[len(c.At)-1] }
	below, inRun := map[string]bool{}, map[string]bool{}
	for _, row := range rows[1:] {
		for i, cell := range row {
			if below[names.Folded(cell)] = true; within(i) {
				inRun[names.Folded(cell)] = true
			}
		}
	}
	words, old, oldInRun := 0, 0, 0 // names; numbers that stand below, and in the run's columns
	for i, cell := range rows[0] {
		name := names.Folded(cell)
		switch {
		case within(i) && inRun[name]:
			old, oldInRun = old+1, oldInRun+1
		case within(i) && below[name]:
			old++
		case within(i) || name == "":
		case below[name]:
			return nil, false, nil
		default:
			words++
		}
	}
	if words > 0 && len(c.At) >= sure && 2*oldInRun <= len(c.At) {
		return c, true, err
	}
	return nil, words > 0 || old == 0, nil
}
