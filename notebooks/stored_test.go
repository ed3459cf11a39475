// Package notebooks holds the notebooks, one for each part of the paper, and the tests that read and run them.
package notebooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// maxCell is the most lines that a code cell may have, maxOutput the most bytes of its outputs.
const (
	maxCell   = 12
	maxOutput = 100_000
)

// lines is a text of the format: a string, or one a line.
type lines string

// UnmarshalJSON reads either form.
func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// book is a notebook of format 4.5, with what one that is stored may have.
type book struct {
	Cells    []cell `json:"cells"`
	Metadata struct {
		Kernelspec struct {
			Name        string `json:"name"`
			DisplayName string `json:"display_name"`
			Language    string `json:"language"`
		} `json:"kernelspec"`
		LanguageInfo map[string]any `json:"language_info"`
	} `json:"metadata"`
	Format int `json:"nbformat"`
	Minor  int `json:"nbformat_minor"`
}

type cell struct {
	Type     string `json:"cell_type"`
	ID       string `json:"id"`
	Metadata struct {
		Tags []string `json:"tags"`
	} `json:"metadata"`
	Source      lines             `json:"source"`
	Outputs     []json.RawMessage `json:"outputs"`
	Count       *int              `json:"execution_count"`
	Attachments map[string]any    `json:"attachments"`
}

var (
	cellID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	// machinePath matches paths that other machines do not have.
	machinePath = regexp.MustCompile(`(?:^|[\s"'` + "`" +
		`(=:])(?:/(?:home|root|Users|tmp|var|mnt|work|opt|usr)/|~/|[A-Z]:\\)\S*`)
)

// faults says what is wrong with a notebook as it is stored.
func faults(data []byte) (list []string) {
	var b book
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return []string{err.Error()}
	}
	if b.Format != 4 || b.Minor != 5 {
		list = append(list, fmt.Sprintf("format %d.%d, not 4.5", b.Format, b.Minor))
	}
	if k := b.Metadata.Kernelspec; k.Name != setup.Name || k.DisplayName != "DDPS (Go)" || k.Language != "go" {
		list = append(list, fmt.Sprintf("kernelspec %+v is not ours", k))
	}
	if len(b.Cells) == 0 || b.Cells[0].Type != "markdown" || !strings.HasPrefix(string(b.Cells[0].Source), "# ") {
		list = append(list, "the first cell is no title")
	}
	ids := map[string]bool{}
	for i, c := range b.Cells {
		for _, fault := range c.faults(i > 0 && b.Cells[i-1].says()) {
			list = append(list, fmt.Sprintf("cell %d, id %q: %s", i+1, c.ID, fault))
		}
		if ids[c.ID] {
			list = append(list, fmt.Sprintf("cell %d: the id %q is another's too", i+1, c.ID))
		}
		ids[c.ID] = true
	}
	return list
}

// says reports whether a cell is text.
func (c cell) says() bool { return c.Type == "markdown" && strings.TrimSpace(string(c.Source)) != "" }

// faults says what is wrong with a cell; told is whether the one before is text.
func (c cell) faults(told bool) (list []string) {
	if !cellID.MatchString(c.ID) {
		list = append(list, "not an id")
	}
	if m := machinePath.FindString(string(c.Source)); m != "" {
		list = append(list, "a path of one machine:"+m)
	}
	switch c.Type {
	case "markdown":
		if !c.says() {
			list = append(list, "empty")
		}
	case "code":
		if c.Count != nil {
			list = append(list, "it was run; outputs are written by go test -run TestJupyter/all ./notebooks -args -regen")
		}
		list = append(list, c.outputFaults()...)
		if n := strings.Count(strings.TrimRight(string(c.Source), "\n"), "\n") + 1; n > maxCell {
			list = append(list, fmt.Sprintf("%d lines, more than %d", n, maxCell))
		}
		if strings.TrimSpace(string(c.Source)) == "" {
			list = append(list, "empty")
		}
		if !told {
			list = append(list, "no text before it")
		}
	default:
		list = append(list, "neither code nor markdown")
	}
	return list
}

// outputFaults says what is wrong with the outputs of a cell: they are as storedOutputs leaves them.
func (c cell) outputFaults() (list []string) {
	if c.Outputs == nil {
		return []string{"no list of outputs"}
	}
	kept, err := storedOutputs(c.Outputs)
	if err != nil {
		return []string{err.Error()}
	}
	have, _ := json.Marshal(c.Outputs)
	want, _ := json.Marshal(kept)
	var a, b any
	if json.Unmarshal(have, &a) != nil || json.Unmarshal(want, &b) != nil || !reflect.DeepEqual(a, b) {
		list = append(list, "outputs that are not stripped")
	}
	for _, raw := range c.Outputs {
		var o output
		if json.Unmarshal(raw, &o) != nil {
			continue // told above
		}
		text := string(o.Text) + joined(o.Data["text/plain"]) + joined(o.Data["text/html"])
		if m := machinePath.FindString(text); m != "" {
			list = append(list, "an output with a path of one machine:"+m)
		}
	}
	if len(have) > maxOutput {
		list = append(list, fmt.Sprintf("outputs of %d bytes, more than %d", len(have), maxOutput))
	}
	return list
}

// All notebooks are stored as they should be.
func TestStored(t *testing.T) {
	names, err := filepath.Glob("*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults(data) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// The rules themselves: a notebook that keeps them, and each of them broken.
func TestFaults(t *testing.T) {
	good := string(notebookOf("# Title", "%%live\n1 + 1"))
	if list := faults([]byte(good)); len(list) > 0 {
		t.Fatal(list)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"nbformat_minor":5`, `"nbformat_minor":4`, "format 4.4"},
		{`"name":"ddps"`, `"name":"gonb"`, "kernelspec"},
		{`"# Title"`, `"Title"`, "no title"},
		{`"# Title"`, `" "`, "no text before it"},
		{`"id":"c0"`, `"id":"c 0"`, "not an id"},
		{`"id":"c0"`, `"id":"t0"`, "another's"},
		{`"execution_count":null`, `"execution_count":3`, "was run"},
		{`"outputs":[]`, `"outputs":[{"output_type":"stream","name":"stdout","text":["3ms"]}]`, "not stripped"},
		{`"outputs":[]`, `"outputs":[{"output_type":"error"}]`, "not stripped"},
		{`"outputs":[]`, `"outputs":null`, "no list"},
		{`"metadata":{}`, `"metadata":{"execution":{}}`, "execution"},
		{`1 + 1`, strings.Repeat(`1\n`, maxCell), "13 lines"},
		{`1 + 1`, `open(\"/ho` + `me/me/x\")`, "a path of one machine"},
		{`"cell_type":"code"`, `"cell_type":"raw"`, "neither"},
		{`{"cells"`, `{"sells"`, "unknown field"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Errorf("%s is not in the notebook", c.old)
		}
		if list := faults([]byte(text)); !strings.Contains(strings.Join(list, "\n"), c.want) {
			t.Errorf("%s: %q, not %q", c.new, list, c.want)
		}
	}
}

// notebookOf makes a notebook of a text and of code, each followed by the next.
func notebookOf(text string, code ...string) []byte {
	var cells []map[string]any
	for i, source := range code {
		cells = append(cells,
			map[string]any{"cell_type": "markdown", "id": fmt.Sprint("t", i), "metadata": map[string]any{}, "source": text},
			map[string]any{"cell_type": "code", "id": fmt.Sprint("c", i), "metadata": map[string]any{}, "source": source,
				"outputs": []any{}, "execution_count": nil})
	}
	data, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{
			"kernelspec": map[string]any{"name": setup.Name, "display_name": "DDPS (Go)", "language": "go"}}})
	if err != nil {
		panic(err)
	}
	return data
}
