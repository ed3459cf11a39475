package study

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/jszwec/csvutil"
)

// A results table with the columns and reverse steps of an earlier version has the rows of one of today; the next row
// writes the file in today's words. A cell of another column keeps such a word.
func TestTableOfEarlierVersion(t *testing.T) {
	want := []StepsRow{{Model: "mixture", Distribution: "none", Kernel: "austin", Steps: 4, L1: 0.5},
		{Model: "toy", Distribution: "law", Kernel: "eq2", Steps: 8}, {Model: "toy", Distribution: "none", Kernel: "joint"}}
	today, err := csvutil.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "steps.csv")
	old := bytes.Replace(today, []byte("model,distribution,"), []byte("model,law,"), 1)
	old = bytes.Replace(bytes.Replace(old, []byte(",austin,"), []byte(",undivided,"), 1), []byte(",eq2,"),
		[]byte(",mixture,"), 1)
	if err := WriteSummed(path, func(w io.Writer) error { _, err := w.Write(old); return err }); err != nil {
		t.Fatal(err)
	}
	rows, err := ReadTable[StepsRow](path)
	if err != nil || len(rows) != len(want) {
		t.Fatal(rows, err)
	}
	for i, r := range rows {
		if r != want[i] {
			t.Errorf("%+v, expected %+v", r, want[i])
		}
	}
	l, err := OpenTable[StepsRow](path)
	if err != nil || !l.Earlier {
		t.Fatal(err)
	}
	if err := errors.Join(l.Add(StepsRow{Model: "heights"}), l.Close()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(data, today) {
		t.Errorf("%s, %v", data, err)
	}
	if l, err = OpenTable[StepsRow](path); err != nil || l.Earlier || l.Close() != nil {
		t.Errorf("%v, %v", l, err)
	}
}
