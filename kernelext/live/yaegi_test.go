package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live"
)

// yaegi is the version of the interpreter whose tests are programs here.
const yaegi = "github.com/traefik/yaegi@v0.16.1"

// yaegisOwn lists its programs that print what the interpreter does, and not what Go does, and why.
func yaegisOwn() map[string]string {
	list := map[string]string{}
	for why, names := range map[string]string{
		"loop variables as before Go 1.22":           "closure9.go closure10.go closure11.go closure12.go",
		"a type of main prints as what it is below":  "type5.go type6.go",
		"the interpreter's own messages and methods": "restricted0.go restricted1.go restricted2.go restricted3.go method16.go",
		"takes long": "l3.go l5.go factor.go fib.go",
	} {
		for _, n := range strings.Fields(names) {
			list[n] = why
		}
	}
	return list
}

var (
	wanted = regexp.MustCompile(`(?m)^// Output:\n((?://.*\n?)*)`)
	spaces = regexp.MustCompile(`(?m)^\s+|\s+$`)
)

// Programs of yaegi's tests do as live cells what they do compiled, or are refused.
func TestYaegi(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	said, err := exec.Command("go", "mod", "download", "-json", yaegi).Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(said, &module) != nil {
		t.Skipf("%s cannot be had: %v", yaegi, err)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "_test", "*.go"))
	if err != nil || len(files) < 500 {
		t.Fatal(len(files), err)
	}
	alike, refused, own := 0, 0, yaegisOwn()
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := wanted.FindStringSubmatch(string(src))
		if want == nil || own[filepath.Base(file)] != "" {
			continue
		}
		got, err := evaluate(t, string(src))
		text := strings.ReplaceAll(strings.ReplaceAll(want[1], "\n// ", "\n"), "\n//", "\n")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "//"), " ")
		same := func() bool { return spaces.ReplaceAllString(got, "") == spaces.ReplaceAllString(text, "") }
		for n := 0; n < 3 && strings.Contains(string(src), "time.Sleep") && !same(); n++ { // timers of a busy machine
			got, err = evaluate(t, string(src))
		}
		var e *live.Error
		switch {
		case errors.As(err, &e) && (e.Name == "compile error" || e.Name == "unsupported" || e.Name == "syntax error"):
			refused++
		case !same():
			t.Errorf("%s: %.300q, want %.300q (%v)", filepath.Base(file), got, text, err)
		default:
			alike++
		}
	}
	if t.Logf("%d the same, %d refused", alike, refused); alike < 700 {
		t.Errorf("%d programs do what they should", alike)
	}
}

// evaluate runs a program as a cell of a session of its own.
func evaluate(t *testing.T, src string) (string, error) {
	t.Helper()
	out := &screen{}
	s, err := live.New(out)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	err = s.Eval(ctx, src, out)
	return out.take(), err
}
