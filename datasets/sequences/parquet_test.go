package sequences_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// parquetOf writes rows as a Parquet file.
func parquetOf[T any](t *testing.T, rows ...T) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// TestParquet reads columns of places, events and lists of places.
func TestParquet(t *testing.T) {
	type list struct {
		ID   int64    `parquet:"id"`
		Path []string `parquet:"path,list"`
		N    int64    `parquet:"n"`
	}
	type bare struct {
		Walk []int32 `parquet:"walk"`
	}
	type event struct {
		Case  int64  `parquet:"case"`
		Time  int64  `parquet:"timestamp,timestamp(millisecond)"`
		Place string `parquet:"stop_id"`
	}
	type wide struct {
		A *string `parquet:"step_0,optional"`
		B *string `parquet:"step_1,optional"`
	}
	type precise struct {
		Case  int64  `parquet:"case"`
		Time  int64  `parquet:"time"`
		Place string `parquet:"place"`
	}
	type nano struct {
		Case  int64  `parquet:"case"`
		Time  int64  `parquet:"time,timestamp(nanosecond)"`
		Place string `parquet:"place"`
	}
	type holes struct {
		Path []*string `parquet:"path,list"`
	}
	type signed struct {
		A int32 `parquet:"step 1"`
		B int8  `parquet:"step 2,optional"`
		C int16 `parquet:"step 3,dict"`
	}
	type timed struct {
		Case  int8  `parquet:"case"`
		Time  int32 `parquet:"time"`
		Place int16 `parquet:"place"`
	}
	a, b := "A", "B"
	for _, c := range []struct {
		in   *bytes.Buffer
		want string
		left sequences.Reason
	}{
		{parquetOf(t, list{1, []string{"A", "B", "C"}, 2}, list{2, nil, 1}, list{3, []string{"C"}, 1}), "A B C ×2; C",
			sequences.Empty},
		{parquetOf(t, bare{[]int32{3, 1}}, bare{[]int32{2}}), "3 1; 2", ""},
		{parquetOf(t, event{7, 2000, "B"}, event{7, 1500, "A"}, event{8, 0, ""}, event{8, 1, "C"}), "A B; C",
			sequences.NoPlace},
		{parquetOf(t, signed{-1, 2, -3}, signed{4, -128, 6}), "-1 2 -3; 4 -128 6", ""},
		{parquetOf(t, timed{1, -60, 'A'}, timed{1, 0, 'B'}, timed{1, 60, 'C'}, timed{1, -61, 'D'}), "68 65 66 67", ""},
		{parquetOf(t, precise{1, 1700000000000000201, "B"}, precise{1, 1700000000000000200, "A"}), "A B", ""},
		{parquetOf(t, nano{1, 1700000000000000201, "B"}, nano{1, 1700000000000000200, "A"}), "A B", ""},
		{parquetOf(t, holes{[]*string{&a, nil}}, holes{[]*string{&a, &b}}), "A B", sequences.NoLast},
		{parquetOf(t, bare{[]int32{-3, 1}}, bare{[]int32{2}}), "-3 1; 2", ""},
		{parquetOf(t, wide{&a, &b}, wide{&b, nil}, wide{nil, &a}), "A B; B", sequences.Gap},
	} {
		w, err := sequences.Read("w", bytes.NewReader(c.in.Bytes()), sequences.ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		if got := text(w); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if n := w.Report.Total(); c.left == "" && n != 0 || c.left != "" && (n != 1 || w.Report.N(c.left) != 1) {
			t.Errorf("%s: left out %v", c.want, w.Report.List())
		}
	}
	type strange struct {
		A float32 `parquet:"a"`
		B string  `parquet:"b"`
	}
	_, err := sequences.Read("w", parquetOf(t, strange{}), sequences.ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "columns a, b: neither v1") {
		t.Errorf("%v", err)
	}
	whole := parquetOf(t, list{1, []string{"A", "B"}, 1}).Bytes()
	for n := range whole { // no damaged file makes a panic
		sequences.Read("w", bytes.NewReader(whole[:n]), sequences.ReadOptions{Format: sequences.Parquet})
		hurt := bytes.Clone(whole)
		hurt[n] ^= 0x55
		sequences.Read("w", bytes.NewReader(hurt), sequences.ReadOptions{Format: sequences.Parquet})
	}
}

// TestParquetWithoutRows: a file of no rows has no walk, whichever library wrote it; PyArrow writes a group of none.
func TestParquetWithoutRows(t *testing.T) {
	type row struct {
		Case  string `parquet:"case"`
		Place string `parquet:"place"`
	}
	arrow, err := os.ReadFile("../pathfile/testdata/norows.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []*bytes.Buffer{parquetOf[row](t), bytes.NewBuffer(arrow)} {
		_, err := sequences.Read("w", in, sequences.ReadOptions{Format: sequences.Parquet})
		if err == nil || !strings.HasSuffix(err.Error(), "w: no walk in the file") {
			t.Errorf("%v", err)
		}
	}
}
