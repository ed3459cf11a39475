package kernelext_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext"
)

type point struct {
	X, Y int
	tag  string
}

type level int

func (l level) String() string { return strings.Repeat("*", int(l)) }

// Lists of structs and maps are shown as tables; what writes itself, and other values, are shown as text.
func TestTabular(t *testing.T) {
	for _, c := range []struct {
		x    any
		text string
		html bool
	}{
		{[]point{{1, 2, "a"}, {30, 4, "b"}}, "2 rows\n X  Y\n 1  2\n30  4", true},
		{[]*point{{1, 2, ""}, nil}, "2 rows\nX  Y\n1  2\n", true},
		{map[string]int{"b": 1, "a": 20}, "2 rows\nkey  value\na       20\nb        1", true},
		{map[int]level{10: 2, 9: 1}, "map[9:* 10:**]", false},
		{[]struct{ L level }{{3}}, "1 row\nL\n***", true},
		{[]struct{ S string }{{"a\nb"}, {strings.Repeat("x", 70)}}, "2 rows\nS\na b\n" + strings.Repeat("x", 59) + "…", true},
		{[]map[string]int{{"a": 1}, {"b": 2}}, "2 rows\na  b\n1\n   2", true},
		{[]point{}, "[]", false},
		{[]int{1, 2}, "[1 2]", false},
		{[]error{errors.New("e")}, "[e]", false},
		{[]time.Duration{time.Second}, "[1s]", false},
		{map[string]int{}, "map[]", false},
		{point{1, 2, "t"}, "{X:1 Y:2 tag:t}", false},
	} {
		data, _ := kernelext.Bundle(c.x)
		if _, html := data[kernelext.MIMEHTML]; data[kernelext.MIMEText] != c.text || html != c.html {
			t.Errorf("%T: %q, HTML %v; want %q", c.x, data[kernelext.MIMEText], html, c.text)
		}
	}
	long := make([]point, 1000)
	data, _ := kernelext.Bundle(long)
	if s := data[kernelext.MIMEText].(string); strings.Count(s, "\n") != 27 || !strings.HasPrefix(s, "1000 rows\n") {
		t.Error(s)
	}
}
