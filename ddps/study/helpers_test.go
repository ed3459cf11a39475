package study

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// tree lists the files below dir with their contents.
func tree(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		data, _ := os.ReadFile(path)
		list = append(list, path+" "+string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// products returns what a finished run must give to the byte: model and log.
func products(t testing.TB, dir string) (model, log []byte) {
	t.Helper()
	model, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(filepath.Join(dir, "log.jsonl")); err != nil {
		t.Fatal(err)
	}
	return model, log
}

func sameProducts(t *testing.T, what, dir, want string) {
	t.Helper()
	m, l := products(t, dir)
	m2, l2 := products(t, want)
	if !bytes.Equal(m, m2) {
		t.Errorf("%s: another model than the uninterrupted run's", what)
	}
	if !bytes.Equal(l, l2) {
		t.Errorf("%s: log\n%s\nof the uninterrupted run\n%s", what, l, l2)
	}
}
