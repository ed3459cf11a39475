package table

import (
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// standard reports whether a package is of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// newer reports whether the Go at work is a later release than that of go.mod, the oldest that builds the module, and
// names that one.
func newer() (bool, string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "go{{.GoVersion}}").Output()
	if err != nil {
		return false, "", fmt.Errorf("table: go list -m: %w", err)
	}
	oldest := strings.TrimSpace(string(out))
	for word := range strings.FieldsSeq(runtime.Version()) { // go1.27.3 X:experiment
		if version.IsValid(word) {
			return version.Compare(version.Lang(word), version.Lang(oldest)) > 0, oldest, nil
		}
	}
	return false, "", fmt.Errorf("table: %s is no release of Go", runtime.Version())
}

// names matches the name of an entry in a generated file.
var names = regexp.MustCompile(`(?m)^\t\t"(\w+)":`)

// known returns the names of package path in the generated file, which oldest wrote.
func known(file, path, oldest string) (map[string]bool, error) {
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("table: the names of package %s are those of %s: generate its table with GOTOOLCHAIN=%[2]s",
			path, oldest)
	}
	set := map[string]bool{}
	for _, m := range names.FindAllSubmatch(src, -1) {
		set[string(m[1])] = true
	}
	return set, err
}

// keep returns which names of a package the table holds: all that are exported or, of the standard library at a
// later release than the oldest, those in the table that dir has. So every release writes the same tables, which
// compile with all of them.
func keep(dir, path string, later bool, oldest string) (func(name string) bool, error) {
	if !later || !standard(path) {
		return func(string) bool { return true }, nil
	}
	set, err := known(filepath.Join(dir, fileName(path)), path, oldest)
	return func(name string) bool { return set[name] }, err
}
