package symbols_test

import (
	"bytes"
	"go/constant"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/ddps-go/ddps/kernelext/live/symbols"
	"github.com/ddps-go/ddps/kernelext/live/symbols/internal/table"
)

// go generate would change nothing, whatever the release of Go.
func TestGenerated(t *testing.T) {
	files, err := table.Files(".")
	if err != nil {
		t.Fatal(err)
	}
	have, err := filepath.Glob("z_*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range have {
		if files[name] == nil {
			t.Errorf("%s is left over; run go generate ./kernelext/live/symbols", name)
		}
	}
	for name, want := range files {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v); run go generate ./kernelext/live/symbols", name, err)
		}
	}
}

func TestTables(t *testing.T) {
	tables := symbols.Tables()
	for _, p := range []string{"fmt/fmt", "math/rand/v2/rand", "gonum.org/v1/plot/plot",
		"github.com/ddps-go/ddps/ddps/d3pm/d3pm"} {
		if len(tables[p]) == 0 {
			t.Errorf("no table of %s", p)
		}
	}
	if !tables["math/math"]["Pi"].IsValid() || !tables["fmt/fmt"]["Stringer"].IsValid() {
		t.Error("a constant or a type is missing")
	}
	for name, want := range map[string]string{"os/os.DevNull": strconv.Quote(os.DevNull),
		"unicode/unicode.Version": strconv.Quote(unicode.Version),
		// of this release and system
		"math/math.MinInt64": "-9223372036854775808", "math/math.MaxUint64": "18446744073709551615"} {
		pkg, name, _ := strings.Cut(name, ".")
		if got, ok := tables[pkg][name].Interface().(constant.Value); !ok || got.ExactString() != want {
			t.Errorf("%s is %v, expected %s", name, got, want)
		}
	}
	delete(tables, "fmt/fmt") // the caller's own
	if symbols.Tables()["fmt/fmt"] == nil {
		t.Error("tables are shared")
	}
}

func BenchmarkTables(b *testing.B) {
	for b.Loop() {
		symbols.Tables()
	}
}
