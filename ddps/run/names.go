package run

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
)

// The names that the model of names is fitted to, and those to test it with.
//
//go:embed weights/names-train.txt.gz weights/names-test.txt.gz
var names embed.FS

// Names returns 25,626 first names to train with and 6,407 to test with, a letter a place, on the graph of the moves of
// both (makemore's names.txt, MIT licence, © 2022 Andrej Karpathy).
func Names() (train, test *datasets.Data, err error) {
	var sets []*sequences.Walks
	for _, name := range []string{"names-train.txt", "names-test.txt"} {
		data, err := names.ReadFile("weights/" + name + ".gz")
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		w, err := sequences.Read(name, z, sequences.ReadOptions{})
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		sets = append(sets, w)
	}
	r, err := sequences.Make(sequences.Options{}, sets...)
	if err != nil {
		return nil, nil, fmt.Errorf("run: names: %w", err)
	}
	return r.Data[0], r.Data[1], nil
}
