package kernelext

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table is a table of text. Columns whose cells are all numbers are set to the right.
type Table struct {
	Title  string // above it; "" for none
	Header []string
	Rows   [][]string
}

// NewTable returns a table without rows.
func NewTable(header ...string) *Table { return &Table{Header: header} }

// Add appends a row and returns the table. Floating-point numbers that are not whole get four digits, other cells are
// as fmt.Sprint has them; a row that is too short is filled up.
func (t *Table) Add(cells ...any) *Table {
	row := make([]string, max(len(cells), len(t.Header)))
	for i, c := range cells {
		switch c := c.(type) {
		case float64:
			row[i] = fourDigits(c)
		case float32:
			row[i] = fourDigits(float64(c))
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	t.Rows = append(t.Rows, row)
	return t
}

// fourDigits writes a number: whole where it is, unless that is too long to read.
func fourDigits(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return strconv.FormatFloat(x+0, 'f', -1, 64)
	}
	return fmt.Sprintf("%.4g", x)
}

// columns returns how many columns there are.
func (t *Table) columns() int {
	n := len(t.Header)
	for _, r := range t.Rows {
		n = max(n, len(r))
	}
	return n
}

// numeric tells of each column whether it holds numbers.
func (t *Table) numeric() []bool {
	num := make([]bool, t.columns())
	for c := range num {
		seen := false
		num[c] = true
		for _, r := range t.Rows {
			if c < len(r) && r[c] != "" && r[c] != "…" {
				seen = true
				num[c] = num[c] && strings.ContainsAny(r[c][:1], "+-−0123456789") && !strings.Contains(r[c], "→")
			}
		}
		num[c] = num[c] && seen
	}
	return num
}

// String returns the table as text, columns aligned.
func (t *Table) String() string {
	num := t.numeric()
	width := make([]int, len(num))
	all := append([][]string{t.Header}, t.Rows...)
	for _, r := range all {
		for c, s := range r {
			width[c] = max(width[c], utf8.RuneCountInString(s))
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n")
	}
	for i, r := range all {
		if i == 0 && len(t.Header) == 0 {
			continue
		}
		var line strings.Builder
		for c, s := range r {
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(s))
			if num[c] {
				s = pad + s
			} else {
				s += pad
			}
			if c > 0 {
				line.WriteString("  ")
			}
			line.WriteString(s)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// HTML returns the table as HTML.
func (t *Table) HTML() string {
	num := t.numeric()
	var b strings.Builder
	b.WriteString("<table>")
	if t.Title != "" {
		b.WriteString("<caption>" + html.EscapeString(t.Title) + "</caption>")
	}
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for c, s := range cells {
			align := "left"
			if num[c] {
				align = "right"
			}
			fmt.Fprintf(&b, `<%s style="text-align:%s">%s</%s>`, tag, align, html.EscapeString(s), tag)
		}
		b.WriteString("</tr>")
	}
	if len(t.Header) > 0 {
		b.WriteString("<thead>")
		row("th", t.Header)
		b.WriteString("</thead>")
	}
	b.WriteString("<tbody>")
	for _, r := range t.Rows {
		row("td", r)
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

// Markdown returns the table as Markdown.
func (t *Table) Markdown() string {
	num := t.numeric()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n\n")
	}
	row := func(cells []string) {
		for c := range num {
			s := ""
			if c < len(cells) {
				s = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cells[c])
			}
			b.WriteString("| " + s + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Header)
	for _, n := range num {
		if n {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, r := range t.Rows {
		row(r)
	}
	return b.String()
}

// Bundle returns the table as text, HTML and Markdown.
func (t *Table) Bundle() map[string]any {
	return map[string]any{MIMEText: t.String(), MIMEHTML: t.HTML(), MIMEMarkdown: t.Markdown()}
}
