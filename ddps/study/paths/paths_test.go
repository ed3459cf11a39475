package paths

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/study"
)

// writeWalks writes walks among four places, half of which end where they begin.
func writeWalks(t *testing.T, file string, n int, seed uint64) {
	t.Helper()
	var b strings.Builder
	for i := range n {
		rng := ddps.Rand(seed, uint64(i))
		w := []string{string("ABCD"[rng.IntN(4)])}
		for range 1 + rng.IntN(3) {
			w = append(w, string("ABCD"[rng.IntN(4)]))
		}
		if rng.IntN(2) == 0 {
			w[len(w)-1] = w[0]
		}
		b.WriteString(strings.Join(w, " ") + "\n")
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The benchmark has a row of the model and one of each part that has a weight; a second run adds none, and the rows are
// right: the stack's NLL is no more than that of its parts beyond the noise, and the test walks' rates are theirs.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	writeWalks(t, filepath.Join(dir, "toy-train.txt"), 600, 1)
	writeWalks(t, filepath.Join(dir, "toy-test.txt"), 300, 2)
	s := New("toy", dir, 0)
	s.Parts, s.Samples, s.Reps = "first-order second-order context", 2000, 5
	out := filepath.Join(dir, "out")
	table, err := study.OpenTable[Row](filepath.Join(out, "ours.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for range 2 {
		if err := s.Run(context.Background(), out, table, nil); err != nil {
			t.Fatal(err)
		}
	}
	main, seen := table.Rows[len(table.Rows)-1], map[string]bool{}
	for _, r := range table.Rows {
		if seen[r.Model] {
			t.Errorf("two rows of %s", r.Model)
		}
		if seen[r.Model] = true; main.NLL > r.NLL+.05 {
			t.Errorf("the stack's test NLL is %.3f, that of %s %.3f", main.NLL, r.Model, r.NLL)
		}
	}
	if main.Model != s.Parts || len(table.Rows) < 2 {
		t.Fatalf("rows %+v", table.Rows)
	}
	text, err := os.ReadFile(filepath.Join(dir, "toy-test.txt"))
	if err != nil {
		t.Fatal(err)
	}
	back, length := 0.0, 0.0
	for line := range strings.Lines(string(text)) {
		if w := strings.Fields(line); w[0] == w[len(w)-1] {
			back++
			length += float64(len(w)) / 300
		} else {
			length += float64(len(w)) / 300
		}
	}
	if math.Abs(main.ReturnTest-back/300) > 1e-9 || math.Abs(main.LengthTest-length) > 1e-9 {
		t.Errorf("test walks return in %.4f and have %.4f places; the row says %.4f, %.4f", back/300, length,
			main.ReturnTest, main.LengthTest)
	}
	if !(main.ReturnFloor > 0 && main.ReturnTV < .15 && main.LengthTV < .15) {
		t.Errorf("row %+v", main)
	}
	s.Set = "none"
	if err := s.Run(context.Background(), out, table, nil); err == nil || !strings.Contains(err.Error(), "none-train") {
		t.Errorf("a set without files: %v", err)
	}
}

// Means over seeds, and the baseline that is chosen on validation walks of the first seed.
func TestMeans(t *testing.T) {
	rows := []Row{{Set: "a", Model: "stack", NLL: 1, CPU: 10}, {Set: "a", Model: "stack", Seed: 1, NLL: 3, CPU: 20},
		{Set: "b", Model: "stack", NLL: 7}}
	m := Means(rows)
	want := study.Spread{Mean: 2, Std: math.Sqrt2, Low: 1, High: 3, N: 2}
	if len(m) != 2 || m[0].NLL != want || m[0].CPU != 15 || m[1].NLL.N != 1 {
		t.Errorf("means %+v", m)
	}
	base := []BaselineRow{{Set: "a", Model: "gru", Width: 64, Seed: 1, Validation: 2, NLL: 9},
		{Set: "a", Model: "gru", Width: 128, Seed: 1, Validation: 1, NLL: 5},
		{Set: "a", Model: "gru", Width: 128, Seed: 2, Validation: 8, NLL: 6}}
	want = study.Spread{Mean: 5.5, Std: math.Sqrt2 / 2, Low: 5, High: 6, N: 2}
	if s, ok := BestBaseline(base, "a", "gru"); !ok || s != want {
		t.Errorf("the best baseline is %+v, %v", s, ok)
	}
	if _, ok := BestBaseline(base, "b", "gru"); ok {
		t.Error("a set without baselines has one")
	}
}
