package cli

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// PrintTable writes rows under a header (nil for none): ruled on a terminal, plain
// columns elsewhere. Columns that hold numbers are set to the right.
func PrintTable(w io.Writer, header []string, rows [][]string) error {
	t := table.NewWriter()
	if header != nil {
		t.AppendHeader(Cells(header))
	}
	for _, r := range rows {
		t.AppendRow(Cells(r))
	}
	t.SetColumnConfigs(columns(header, rows))
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder, style.Options.SeparateColumns = false, false
	style.Options.SeparateHeader = isTerminal(w)
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	_, err := io.WriteString(w, t.Render()+"\n")
	return err
}

// Cells returns a row of a table.
func Cells(s []string) table.Row {
	row := make(table.Row, len(s))
	for i, c := range s {
		row[i] = c
	}
	return row
}

// columns aligns those to the right whose cells are all numbers, or empty.
func columns(header []string, rows [][]string) []table.ColumnConfig {
	n := len(header)
	for _, r := range rows {
		n = max(n, len(r))
	}
	list := make([]table.ColumnConfig, n)
	for k := range list {
		list[k] = table.ColumnConfig{Number: k + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
		for _, r := range rows {
			if k < len(r) && r[k] != "" && !strings.ContainsAny(r[k][:1], "0123456789.+-<>∞") && !strings.HasPrefix(r[k], "−") {
				list[k].Align, list[k].AlignHeader = text.AlignLeft, text.AlignLeft
			}
		}
	}
	return list
}

// isTerminal reports whether w is a screen that can move its cursor.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Whole writes a whole number with a comma every three digits.
func Whole(n int) string { return Commas(strconv.Itoa(n)) }

// maxDigits is the most digits of a whole number that is printed in full.
const maxDigits = 45

// WholeBig is Whole for any size; of more than 45 digits the first four are printed.
func WholeBig(n *big.Int) string {
	s := n.String()
	if len(s) <= maxDigits {
		return Commas(s)
	}
	return fmt.Sprintf("about %c.%se+%d", s[0], s[1:4], len(s)-1)
}

// Commas writes a whole number in decimal with a comma every three digits.
func Commas(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return sign + b.String()
}

// Real3 writes a number with three significant digits, without an exponent where
// it is of ordinary size; NaN is –.
func Real3(x float64) string {
	switch size := math.Abs(x); {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.Replace(fmt.Sprintf("%+v", x), "Inf", "∞", 1), "+")
	case size >= 1e-3 && size < 1e6:
		return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(size)))), 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Percent writes a share as a percentage.
func Percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + "%"
}

// Bound is Percent with a digit more where that would read 0 or 100%, which the number is not.
func Bound(x float64) string {
	if s := Percent(x); (s != "0.0%" || x == 0) && (s != "100.0%" || x == 1) {
		return s
	}
	return strconv.FormatFloat(100*x, 'f', 2, 64) + "%"
}

// BytesSize writes a number of bytes in the largest unit that leaves a whole part.
func BytesSize(n uint64) string {
	x, unit := float64(n), 0
	for x >= 1024 && unit < 5 {
		x, unit = x/1024, unit+1
	}
	return fmt.Sprintf("%.3g %s", x, [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}[unit])
}
