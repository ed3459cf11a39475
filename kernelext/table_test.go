package kernelext

import (
	"math"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	tab := NewTable("name", "x", "n|m").Add("a <", 1e5, 3).Add("b", 0.123456, "…").Add("c", float32(0.5)).Add("d", -2.0, 1,
		"more")
	tab.Title = "A & B"
	want := "A & B\nname       x  n|m\na <   100000    3\nb     0.1235    …\nc        0.5\nd         -2    1  more"
	if got := tab.String(); got != want {
		t.Errorf("%s\n\nnot\n\n%s", got, want)
	}
	b := tab.Bundle()
	for kind, parts := range map[string][]string{
		MIMEText: {want},
		MIMEHTML: {"<caption>A &amp; B</caption>", "a &lt;", `<td style="text-align:right">100000</td>`,
			`<th style="text-align:left">name</th>`},
		MIMEMarkdown: {`| name | x | n\|m |`, "|---|---:|---:|", "| c | 0.5 |  |"},
	} {
		for _, part := range parts {
			if !strings.Contains(b[kind].(string), part) {
				t.Errorf("%s: %q lacks %q", kind, b[kind], part)
			}
		}
	}
	for x, want := range map[float64]string{0: "0", 1e12: "1e+12", math.Inf(1): "+Inf", -3: "-3", 1e-9: "1e-09",
		12345.678: "1.235e+04"} {
		if got := fourDigits(x); got != want {
			t.Errorf("%v: %s", x, got)
		}
	}
}
