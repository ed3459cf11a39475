// Package clitest has what tests of the commands share: files of the working directory and a small configuration.
package clitest

import (
	"os"
	"path/filepath"
	"testing"
)

// Listing returns all files under the working directory with their sizes.
func Listing(t testing.TB) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
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

// Write makes a file in the working directory.
func Write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read returns what a file of the working directory holds.
func Read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Tiny is a configuration that trains fast.
const Tiny = `keep = 2
[model]
network = "mlp"
[model.mlp]
hidden = 4
time = 2
[train]
steps = 12
batch = 4
eval_every = 5
eval_size = 8
checkpoint = 3
[train.optim]
warmup = 2
`
