package pathfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
)

// Walks are written without source and END, and read again as they were, in each format of their own.
func TestWalkWriters(t *testing.T) {
	const in = "A B C\nA B C\nB C\nC A B A\n"
	odd := strings.NewReplacer("A", `"San Francisco"`, "B", `"a ""b"" -> c,d"`, "C", `"#"`).Replace(in)
	for _, text := range []string{in, odd} {
		t.Run("", func(t *testing.T) { walkWriters(t, text) })
	}
}

func walkWriters(t *testing.T, in string) {
	w, err := sequences.Read("w.txt", strings.NewReader(in), sequences.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := sequences.Make(sequences.Options{}, w)
	if err != nil {
		t.Fatal(err)
	}
	for format, read := range map[string]sequences.ReadOptions{
		pathfile.CSV: {Format: sequences.Wide}, pathfile.JSONL: {Format: sequences.JSONL},
		pathfile.Parquet: {Format: sequences.Parquet}, pathfile.Lines: {Format: sequences.Lines},
	} {
		var b bytes.Buffer
		out, err := pathfile.NewWriter(&b, r.Graph, format, pathfile.ByName)
		if err == nil {
			err = pathfile.WritePaths(out, r.Data[0])
		}
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		again, err := sequences.Read("again", &b, read)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		d, left := sequences.On(r.Graph, again)
		if left.Total() != 0 || d.Total() != 4 || len(d.Paths) != 3 {
			t.Errorf("%s: %v, %v", format, d, left.List())
			continue
		}
		for i, p := range d.Paths {
			if strings.Join(sequences.Names(d.Graph)(p), " ") != strings.Join(w.Names([]int{0, 2, 3}[i]), " ") ||
				d.Counts[i] != []int{2, 1, 1}[i] {
				t.Errorf("%s: path %d is %v ×%d", format, i+1, sequences.Names(d.Graph)(p), d.Counts[i])
			}
		}
	}
}
