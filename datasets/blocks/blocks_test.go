package blocks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// counted counts the rows of n blocks of a file, the blocks in order, and lists bad rows.
func counted(t *testing.T, file string, g *ddps.LayeredGraph, n int64) (*Counts, []string) {
	t.Helper()
	sizes, total, err := Sizes([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCounts()
	var bad []string
	for i := range n {
		for _, b := range Split([]string{file}, sizes, total*i/n, total*(i+1)/n) {
			err := Each(b, g, "", pathfile.ByName, c.Add, func(e *RowError) error {
				bad = append(bad, fmt.Sprintf("%d %v", e.Line, e.Err))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return c, bad
}

// data returns the counts as datasets do.
func (c *Counts) data() (paths []ddps.Path, counts []int) {
	for _, k := range c.Keys {
		paths = append(paths, PathOf(nil, k))
	}
	return paths, c.N
}

// Any number of blocks has the rows that pathfile reads, in the same order.
func TestBlocks(t *testing.T) {
	g := ddps.Example()
	all, err := datasets.All(g, 100)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for name, header := range map[string]string{"a.csv": "v1,v2,v3,v4,count\n", "b.csv": "",
		"c.csv": "\ufeffcount;v4;v3;v2;v1\n", "d.jsonl": ""} {
		var b strings.Builder
		b.WriteString(header)
		for range 200 {
			p := all.Paths[rng.IntN(len(all.Paths))]
			names := make([]string, len(p))
			for l, v := range p {
				names[l] = g.Name(v)
			}
			n := rng.IntN(3) + 1
			switch {
			case name == "d.jsonl":
				fmt.Fprintf(&b, "{\"path\": [\"%s\"], \"count\": %d}\n", strings.Join(names, `", "`), n)
			case name == "c.csv":
				fmt.Fprintf(&b, "%d; %s;\"%s\";%s;%s\r\n\n", n, names[3], names[2], names[1], names[0])
			default:
				fmt.Fprintf(&b, "%s,%d\n", strings.Join(names, ","), n)
			}
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(strings.TrimRight(b.String(), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
		want, err := pathfile.ReadFile(file, g, pathfile.ByName)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int64{1, 3, 7, 64, 500} {
			c, bad := counted(t, file, g, n)
			paths, counts := c.data()
			if !reflect.DeepEqual(paths, want.Paths) || !reflect.DeepEqual(counts, want.Counts) || len(bad) > 0 ||
				c.Total != want.Total() {
				t.Errorf("%s in %d blocks: %v ×%v, expected %v ×%v; bad %q", name, n, paths, counts, want.Paths, want.Counts, bad)
			}
		}
	}
}

// Walks of lines are those of sequences, and bad rows come with their lines.
func TestWalksAndBadRows(t *testing.T) {
	w := sequences.New()
	for _, text := range []string{"A B C", "A B", "B C A"} {
		if err := w.Add(strings.Fields(text), 1); err != nil {
			t.Fatal(err)
		}
	}
	made, err := sequences.Make(sequences.Options{}, w)
	if err != nil {
		t.Fatal(err)
	}
	g, names := made.Graph, []string{"A B C", "A B", "B C A", "A X", "C A", "A B C A A"}
	wrong := make([]bool, len(names))
	for k, text := range names {
		one := sequences.New()
		if err := one.Add(strings.Fields(text), 1); err != nil {
			t.Fatal(err)
		}
		_, report := sequences.On(g, one)
		wrong[k] = report.Total() > 0
	}
	rng := rand.New(rand.NewPCG(3, 3))
	var b bytes.Buffer
	var lines []int
	for i := range 300 {
		k := rng.IntN(len(names))
		if i < 3 {
			k = i
		}
		fmt.Fprintln(&b, names[k])
		if wrong[k] {
			lines = append(lines, i+1)
		}
	}
	file := filepath.Join(t.TempDir(), "walks.txt")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	read, err := sequences.ReadFile(sequences.ReadOptions{Format: sequences.Lines, Sep: "space"}, file)
	if err != nil {
		t.Fatal(err)
	}
	want, report := sequences.On(g, read)
	for _, n := range []int64{1, 7, 64, 300} {
		c, bad := counted(t, file, g, n)
		paths, counts := c.data()
		if !reflect.DeepEqual(paths, want.Paths) || !reflect.DeepEqual(counts, want.Counts) {
			t.Errorf("%d blocks: other counts than sequences.On", n)
		}
		if len(bad) != report.Total() || len(bad) != len(lines) {
			t.Fatalf("%d blocks: %d bad rows, expected %d", n, len(bad), report.Total())
		}
		for k, text := range bad {
			if !strings.HasPrefix(text, fmt.Sprint(lines[k], " ")) {
				t.Errorf("%d blocks: %q, expected line %d", n, text, lines[k])
			}
		}
	}
}

func TestKey(t *testing.T) {
	for _, p := range []ddps.Path{{0, 1, 2}, {65534, 65535, 65536, 1 << 30}, {}} {
		if got := PathOf(ddps.Path{}, string(Key(nil, p))); !reflect.DeepEqual(got, p) {
			t.Errorf("%v became %v", p, got)
		}
	}
}

func TestErrors(t *testing.T) {
	g, dir := ddps.Example(), t.TempDir()
	for name, c := range map[string]struct{ text, says string }{
		"a.csv":     {"v1,v2,v3\nA,C,G\n", "no column v4"},
		"b.csv":     {"\xff\xfea\x00", "UTF-8"},
		"c.parquet": {"PAR1", "too short"},
		"c.fasta":   {">a\n", "not read by rows"},
		"d.csv":     {"A,C,G,H\rA,C,G,H\r", "CR alone"},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := Each(Block{file, 0, 100}, g, "", pathfile.ByName, func(ddps.Path, int) error { return nil },
			func(e *RowError) error { return e })
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	var row *RowError
	file := filepath.Join(dir, "row.csv")
	if err := os.WriteFile(file, []byte("\nA,B\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Each(Block{file, 0, 100}, g, "", pathfile.ByName, func(ddps.Path, int) error { return nil },
		func(e *RowError) error { return e })
	if !errors.As(err, &row) || row.Line != 2 {
		t.Error(err)
	}
}

// Row groups of Parquet are shared by blocks like lines, and bad rows come with their numbers.
func TestParquet(t *testing.T) {
	g, rng := ddps.Example(), rand.New(rand.NewPCG(5, 5))
	all, err := datasets.All(g, 100)
	if err != nil {
		t.Fatal(err)
	}
	var bad []string
	want := NewCounts()
	file := filepath.Join(t.TempDir(), "a.parquet")
	err = pathfile.WriteWhole(file, func(w io.Writer) error {
		out := pathfile.NewParquetWriter(w, g, pathfile.ByName)
		for row := 1; row <= 70_000; row++ { // three row groups
			p, n := slices.Clone(all.Paths[rng.IntN(len(all.Paths))]), rng.IntN(3)+1
			if row == 7 || row == 66_007 {
				p[1], p[2] = p[2], p[1] // vertices of other layers
				bad = append(bad, fmt.Sprint(row))
			} else if err := want.Add(p, n); err != nil {
				return err
			}
			if err := out.Write(p, n); err != nil {
				return err
			}
		}
		return out.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{1, 3, 7, 64} {
		c, rows := counted(t, file, g, n)
		if !reflect.DeepEqual(c, want) {
			t.Errorf("%d blocks: %d paths in all, expected %d", n, c.Total, want.Total)
		}
		for k, text := range rows {
			if len(rows) != len(bad) || !strings.HasPrefix(text, bad[k]+" field 2: ") {
				t.Errorf("%d blocks: bad rows %q", n, rows)
			}
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 60 { // damaged files end in an error or in rows, and in no panic
		damaged := bytes.Clone(data)
		damaged[rng.IntN(len(data))] ^= byte(1 + k%255)
		if err := os.WriteFile(file, damaged[:len(data)-k%2*rng.IntN(1000)], 0o644); err != nil {
			t.Fatal(err)
		}
		err := Each(Block{file, 0, 1 << 15}, g, "", pathfile.ByName, NewCounts().Add,
			func(*RowError) error { return nil })
		if err != nil && !strings.Contains(err.Error(), file) {
			t.Error(err)
		}
	}
}
