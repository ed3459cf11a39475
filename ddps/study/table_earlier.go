package study

import (
	"bytes"
	"encoding/csv"
	"slices"
)

// Columns of results tables as earlier versions named them, and reverse steps in the column "kernel".
var (
	earlierColumns = map[string]string{"law": "distribution", "nats": "nll", "nats_law": "nll_true",
		"held_paths": "validation_paths", "held_loss": "validation_loss"}
	earlierKernels = map[string]string{"undivided": "austin", "mixture": "eq2"}
)

// fromEarlier returns a results table in today's words, and whether it was in those of an earlier version. What is no
// such table is returned as it is.
func fromEarlier(data []byte) ([]byte, bool) {
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(records) == 0 {
		return data, false
	}
	kernel, changed := slices.Index(records[0], "kernel"), false
	rename := func(cell *string, names map[string]string) {
		if name, ok := names[*cell]; ok {
			*cell, changed = name, true
		}
	}
	for i := range records[0] {
		rename(&records[0][i], earlierColumns)
	}
	for _, r := range records[1:] {
		if kernel >= 0 {
			rename(&r[kernel], earlierKernels)
		}
	}
	if !changed {
		return data, false
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(records); err != nil {
		return data, false
	}
	return out.Bytes(), true
}
