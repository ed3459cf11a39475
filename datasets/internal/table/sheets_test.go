package table_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/table"
)

// Spreadsheets begin a file by what separates cells, and end it by rows of empty ones.
func TestSheets(t *testing.T) {
	columns := []table.Column{{Name: "from", Must: true}, {Name: "to", Must: true}}
	for _, text := range []string{"sep=;\nfrom;to\nA,1;B\n;\n;\n", "\"sep=;\"\r\nfrom;to\r\nA,1;B\r\n;\r\n;\r\n",
		"SEP=;\rfrom;to\rA,1;B\r;\r;\r"} {
		var got []string
		notes, err := table.Rows(strings.NewReader(text), table.Options{Separators: ",;\t", At: table.AtLine("x")}, columns,
			func([]string) bool { return true }, func(row []string) error {
				got = append(got, row...)
				return nil
			})
		if err != nil || !slices.Equal(got, []string{"A,1", "B"}) ||
			!slices.Contains(notes, "rows of empty cells, which are skipped: 2") {
			t.Errorf("%q: %q, %q, %v", text, got, notes, err)
		}
	}
	_, err := table.Rows(strings.NewReader("sep=;\nfrom;to\nA;\n"),
		table.Options{Separators: ",;\t", At: table.AtLine("x")},
		columns, func([]string) bool { return true }, func([]string) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "x:3: no to") {
		t.Error(err)
	}
	for _, text := range []string{"sep=;", "sep=x\nA", "separator\n", "sep=;;\n", "\nsep=;\n"} {
		if n := table.SepLine([]byte(text)); n != 0 {
			t.Errorf("%q: %d", text, n)
		}
	}
}
