package notebooks

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// statement is a phrase of a notebook's text that the outputs of a cell must bear out. A phrase that is not in the
// text any more is a fault as well.
type statement struct {
	book, phrase, cell string
	holds              func(o outputs) bool
}

// outputs is what a cell shows, as plain text.
type outputs string

// row returns the numbers behind the first words of the first line that begins so; infinities too. Spaces count once.
func (o outputs) row(begin string) (list []float64) {
	for line := range strings.Lines(string(o)) {
		rest, ok := strings.CutPrefix(" "+strings.Join(strings.Fields(line), " ")+" ", strings.TrimRight(" "+begin, " ")+" ")
		if !ok {
			continue
		}
		for _, word := range strings.Fields(strings.NewReplacer(",", "", "%", "", "[", "", "]", "").Replace(rest)) {
			if x, err := strconv.ParseFloat(word, 64); err == nil {
				list = append(list, x)
			}
		}
		return list
	}
	return nil
}

// at returns number i of a row, NaN for none: no comparison holds of it.
func (o outputs) at(begin string, i int) float64 {
	if list := o.row(begin); i < len(list) {
		return list[i]
	}
	return math.NaN()
}

// says holds where the outputs match.
func says(pattern string) func(outputs) bool {
	re := regexp.MustCompile(pattern)
	return func(o outputs) bool { return re.MatchString(string(o)) }
}

func near10(x, y float64) bool { return math.Abs(x-y) <= .1*math.Abs(y) }

// The text of the notebooks says what their cells show.
func TestStatements(t *testing.T) {
	type stored struct {
		text  string
		cells map[string]outputs
	}
	books := map[string]stored{}
	for _, s := range slices.Concat(statements(), moreStatements(), numberStatements(), wordStatements()) {
		b, ok := books[s.book]
		if !ok {
			b = stored{cells: map[string]outputs{}}
			names, err := filepath.Glob(s.book + "_*.ipynb")
			if err != nil || len(names) != 1 {
				t.Fatal(s.book, names, err)
			}
			data, err := os.ReadFile(names[0])
			if err != nil {
				t.Fatal(err)
			}
			b.text, b.cells = readStored(t, data)
			books[s.book] = b
		}
		if !strings.Contains(b.text, s.phrase) {
			t.Errorf("%s does not say %q", s.book, s.phrase)
		}
		o, ok := b.cells[s.cell]
		if strings.HasPrefix(s.cell, "../") { // a file that the text names
			data, err := os.ReadFile(s.cell)
			o, ok = outputs(data), err == nil
		}
		if !ok || !s.holds(o) {
			t.Errorf("%s: %q, and cell %q shows\n%s", s.book, s.phrase, s.cell, o)
		}
	}
}

// readStored returns the text of a notebook and what its cells show.
func readStored(t *testing.T, data []byte) (text string, cells map[string]outputs) {
	t.Helper()
	var b book
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	cells = map[string]outputs{}
	for _, c := range b.Cells {
		if c.Type == "markdown" {
			text += string(c.Source) + "\n"
			continue
		}
		shown := ""
		for _, raw := range c.Outputs {
			var o output
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			shown += string(o.Text) + joined(o.Data["text/plain"]) + "\n"
		}
		cells[c.ID] = outputs(shown)
	}
	return text, cells
}
