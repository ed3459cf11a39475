package sequences_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// rows lists walks one by one: equal walks as often as they stand.
func rows(w *sequences.Walks) (list []string) {
	for i := range w.Len() {
		for range w.Count(i) {
			list = append(list, strings.Join(w.Names(i), "\x00"))
		}
	}
	return list
}

// back writes walks in a format and reads them again.
func back(w *sequences.Walks, o sequences.WriteOptions) (*sequences.Walks, error) {
	var b bytes.Buffer
	if err := sequences.Write(&b, w, o); err != nil {
		return nil, err
	}
	return sequences.Read("again", &b, sequences.ReadOptions{Format: o.Format, Missing: []string{}})
}

// TestRoundTrip writes walks in all formats and reads them back.
func TestRoundTrip(t *testing.T) {
	for _, in := range []string{"[\"A\",\"B\",\"A\"]\n{\"path\":[\"B\"],\"count\":3}\n",
		"[\"a b\",\"c,d\"]\n[\"c,d\",\"x\\\"y\",\"#\"]\n"} {
		w, err := sequences.Read("w.jsonl", strings.NewReader(in), sequences.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for _, f := range sequences.Formats()[1:] {
			again, err := back(w, sequences.WriteOptions{Format: f})
			if err != nil {
				if !strings.HasPrefix(in, "[\"a b\"") || f != sequences.FASTA {
					t.Errorf("%s: %v", f, err)
				}
				continue
			}
			written++
			if !slices.Equal(rows(again), rows(w)) || again.Report.Total() != 0 {
				t.Errorf("%s: %q, want %q; %v", f, rows(again), rows(w), again.Report.List())
			}
		}
		if written < 4 {
			t.Errorf("%d formats are written", written)
		}
	}
}

// TestOddNames writes names of blanks, quotes, separators and arrows, at random, and reads the same,
// in a file that says nothing of its separator.
func TestOddNames(t *testing.T) {
	parts := []string{"a", "B", `"`, `""`, " ", "\t", ",", ";", "->", "-", ">", "|", "#", "→", "é", "1", "'", "\\", "\ufeff",
		"San Francisco", `5"`, "=", "[", "{"}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		w := sequences.New()
		for range 1 + r.IntN(4) {
			var walk []string
			for range 1 + r.IntN(3) {
				name := ""
				for strings.TrimSpace(name) == "" {
					name += parts[r.IntN(len(parts))]
				}
				for range r.IntN(3) {
					name += parts[r.IntN(len(parts))]
				}
				walk = append(walk, name)
			}
			if err := w.Add(walk, 1+r.IntN(3)); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range []sequences.Format{sequences.Lines, sequences.NGram} {
			again, err := back(w, sequences.WriteOptions{Format: f})
			if err != nil {
				t.Fatalf("round %d: %s: %q: %v", round, f, rows(w), err)
			}
			if !slices.Equal(rows(again), rows(w)) {
				t.Fatalf("round %d: %s: %q, expected %q", round, f, rows(again), rows(w))
			}
		}
	}
}

// FuzzReadWrite reads any text in any format: there is an error, or walks that each format which can hold them
// returns as they are.
func FuzzReadWrite(f *testing.F) {
	for _, s := range []string{"A B C\nB C\n", "v1,v2,count\nA,B,2\n", "case,time,place\n1,2,A\n1,1,B\n", "A,B,3\n",
		">a;size=2\nACG\n",
		"[\"A\",\"B\"]\n", "{\"path\":[\"A\"],\"count\":2}", "emma\nava\n", "a\tb\n", "\"a,b\",c\nc\n", "# x\nA B\n"} {
		for k := range len(sequences.Formats()) {
			f.Add(s, k, "")
		}
		f.Add(s, 1, "space")
	}
	f.Fuzz(func(t *testing.T, s string, k int, sep string) {
		formats := sequences.Formats()
		if k < 0 || k >= len(formats) || len(sep) > 10 {
			return
		}
		w, err := sequences.Read(
			"fuzz",
			strings.NewReader(s),
			sequences.ReadOptions{Format: formats[k], Sep: sep, Missing: []string{}},
		)
		if err != nil {
			return
		}
		if w.Total() > 1000 {
			return
		}
		for _, name := range formats[1:] {
			again, err := back(w, sequences.WriteOptions{Format: name})
			if err != nil && strings.HasPrefix(err.Error(), "sequences: "+string(name)) {
				continue // it cannot hold a name
			}
			if err != nil && strings.Contains(err.Error(), "say --header no") {
				continue // the first walk may be a header: that is asked, and not guessed
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !slices.Equal(rows(again), rows(w)) {
				t.Fatalf("%s: %q, want %q", name, rows(again), rows(w))
			}
		}
	})
}
