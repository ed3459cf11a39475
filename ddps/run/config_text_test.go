package run

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/run/runtest"
)

// Seeds up to 2⁶⁴−1 are written and read; below 0 and above they are errors with the line.
func TestConfigSeeds(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c.toml")
	for _, seed := range []uint64{0, 1, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
		cfg := quick()
		cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = seed, seed-1, seed/2+1
		var b strings.Builder
		if err := cfg.Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadConfig(path, Config{}); err != nil || got.HoldSeed != seed || got.InitSeed != seed-1 ||
			got.Train.Seed != seed/2+1 {
			t.Errorf("%d: %v, %v\n%s", seed, got, err, b.String())
		}
	}
	for _, text := range []string{"-1", "18446744073709551616", "99999999999999999999999999"} {
		if err := os.WriteFile(path, []byte("keep = 2\nhold_seed = "+text+" # it\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConfig(path, quick())
		runtest.Has(t, text, err, "c.toml:2: hold_seed is "+text)
	}
}

// Keys and brackets within each other, and endless files, are an error at once.
func TestConfigNested(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.toml")
	const n = 20_000
	for what, text := range map[string]string{
		"dotted key": strings.Repeat("a.", n) + "a = 1\n", "quoted": strings.Repeat(`"a".`, n) + "a = 1\n", "table": "[" +
			strings.Repeat("a.", n) + "a]\n",
		"arrays": "a = " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n", "inline": "a = " + strings.Repeat("{a=",
			n) + "1" + strings.Repeat("}", n),
		"lines": "a = " + strings.Repeat("[\n", n) + strings.Repeat("]", n) + "\n",
	} {
		if err := os.WriteFile(path, []byte("keep = 2\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConfig(path, quick())
		runtest.Has(t, what, err, "c.toml:", "more than 100 keys or brackets within each other")
	}
	if err := os.WriteFile(path, []byte("keep = 2 # [[[ ....\n[model]\nnetwork = \"none\"\n"+strings.Repeat(
		"# "+strings.Repeat("[.", 200)+"\n", 3)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConfig(path, quick()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		_, err := ReadConfig("/dev/zero", quick())
		runtest.Has(t, "endless", err, "/dev/zero", "more than")
	}
}
