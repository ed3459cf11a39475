package live_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live"
)

// typist is a screen whose user types lines; without any, nobody answers.
type typist struct {
	screen
	lines []string
}

func (t *typist) ReadLine(ctx context.Context) (string, error) {
	if len(t.lines) == 0 {
		<-ctx.Done()
		return "", ctx.Err()
	}
	line := t.lines[0]
	if t.lines = t.lines[1:]; line == "EOF" {
		return "", io.EOF
	}
	return line, nil
}

// Cells read what their user types, as programs read standard input.
func TestInput(t *testing.T) {
	for _, c := range []struct{ code, typed, want string }{
		{"var n, m int\nfmt.Scan(&n, &m)\nn + m", "3 4", "7"},
		{"var n, m int\nfmt.Scan(&n, &m)\nn + m", "3|4", "7"},
		{"var a, b string\nfmt.Scanln(&a)\nfmt.Scanln(&b)\na + b", "x|y", "xy"},
		{"var a int\nfmt.Scanf(`%x`, &a)\na", "ff", "255"},
		{"fmt.Print(`Name? `)\nline, _ := bufio.NewReader(os.Stdin).ReadString('\\n')\nfmt.Printf(`%q`, line)", "Ann Lee",
			`Name? "Ann Lee\n"`},
		{"sc := bufio.NewScanner(os.Stdin)\nn := 0\nfor sc.Scan() { n += len(sc.Text()) }\nn", "ab|cde|EOF", "5"},
		{"b, err := io.ReadAll(os.Stdin)\nfmt.Sprint(string(b), err)", "ab|EOF", "ab\n<nil>"},
		{"var n int\nfmt.Fscan(os.Stdin, &n)\nn", "8", "8"},
		{"var n int\nfmt.Scan(&n)", "5", ""},
		{"var n int\nfmt.Scan(&n)", "five", "line 2: expected integer"},
		{"var n int\nfmt.Scan(&n)", "EOF", "line 2: EOF"},
	} {
		out := &typist{lines: strings.Split(c.typed, "|")}
		err := session(t).Eval(t.Context(), c.code, out)
		got := strings.TrimSpace(out.take())
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, typed %q: %q, want %q", c.code, c.typed, got, c.want)
		}
	}
	if _, err := eval(session(t), "var n int\nfmt.Scan(&n)"); err == nil ||
		err.Error() != "line 2: no input: nobody can type where this cell is shown" {
		t.Error(err)
	}
	s := session(t)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := s.Eval(ctx, "var n int\nfmt.Scan(&n)", &typist{}); !errors.Is(err, live.ErrInterrupted) {
		t.Error(err)
	}
	if out, err := eval(s, "n + 1"); out != "1" || err != nil {
		t.Error(out, err)
	}
}
