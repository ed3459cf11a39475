// Package earlier reads results tables of earlier versions.
package earlier

import (
	"bytes"
	"encoding/csv"
	"slices"
)

// columnNames are columns of results tables as earlier versions named them.
var columnNames = map[string]string{"law": "distribution", "nats": "nll", "nats_law": "nll_true",
	"held_paths": "validation_paths", "held_loss": "validation_loss"}

// cellWords are, by column, what earlier versions wrote in it.
var cellWords = map[string]map[string]string{
	"kernel": {"undivided": "austin", "mixture": "eq2"},
	"preset": {"cpu": "quick"},
	// the paper's Eq. 7 had a wrong number
	"distribution": {"eq13": "eq7", "eq13-printed": "eq7-printed"},
}

// Table returns a results table in today's words, and whether it was in those of an earlier version. What is no
// such table is returned as it is.
func Table(data []byte) ([]byte, bool) {
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(records) == 0 {
		return data, false
	}
	changed := graphOfPreset(records)
	changed = rewardsUnknown(records) || changed
	changed = oneTraining(records) || changed
	changed = memoryOfAny(records) || changed
	for i := range records[0] {
		if name, ok := columnNames[records[0][i]]; ok {
			records[0][i], changed = name, true
		}
		words := cellWords[records[0][i]]
		for _, r := range records[1:] {
			if word, ok := words[r[i]]; ok {
				r[i], changed = word, true
			}
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

// graphOfPreset gives rows of table 1 the column of their graph, which their preset named: quick was the example graph,
// cpu and paper RQ1. It reports whether records are such rows.
func graphOfPreset(records [][]string) bool {
	header := records[0]
	if len(header) < 3 || !slices.Equal(header[:3], []string{"method", "preset", "seed"}) {
		return false
	}
	for i, r := range records {
		graph := "rq1"
		switch {
		case i == 0:
			graph = "graph"
		case r[1] == "quick":
			graph = "example"
		}
		records[i] = slices.Insert(r, 1, graph)
	}
	return true
}

// rewardsUnknown gives rows of rewards the columns that say which paths attain the maximum, as not known. It reports
// whether records are such rows.
func rewardsUnknown(records [][]string) bool {
	at := slices.Index(records[0], "edges") + 1
	if at == 0 || !slices.Contains(records[0], "rare") || slices.Contains(records[0], "r_min") {
		return false
	}
	for i, r := range records {
		cells := []string{"-1", ""}
		if i == 0 {
			cells = []string{"r_min", "optimal"}
		}
		records[i] = slices.Insert(r, at, cells...)
	}
	return true
}

// oneTraining gives rows of SwinGNN's training the columns of its seed and steps: there was one training, taken to be
// of seed 0, which ended at the last row. It reports whether records are such rows.
func oneTraining(records [][]string) bool {
	header := records[0]
	if header[0] != "step" || !slices.Contains(header, "valid_low") || slices.Contains(header, "steps") {
		return false
	}
	last := records[len(records)-1][0]
	for i, r := range records {
		cells := []string{"0", last}
		if i == 0 {
			cells = []string{"seed", "steps"}
		}
		records[i] = append(r, cells...)
	}
	return true
}

// memoryOfAny gives rows of the study of memory the columns of their paths, as not known, and of their network, taken
// to be none, the default. It reports whether records are such rows.
func memoryOfAny(records [][]string) bool {
	header := records[0]
	if !slices.Contains(header, "districts_q999") || slices.Contains(header, "paths") {
		return false
	}
	for i, r := range records {
		cells := []string{"0", "none"}
		if i == 0 {
			cells = []string{"paths", "network"}
		}
		records[i] = append(r, cells...)
	}
	return true
}
