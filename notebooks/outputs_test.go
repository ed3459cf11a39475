package notebooks

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	regen = flag.Bool("regen", false, "write the outputs of a run into the notebooks")
	ran   = flag.String("ran", "", "a directory that run.py wrote, instead of a run")
)

// volatileTag marks cells whose outputs differ from machine to machine: they are not stored.
const volatileTag = "volatile"

var (
	duration = regexp.MustCompile(`\b\d+(?:\.\d+)?(?:ns|µs|ms|s)\b`)
	stale    = regexp.MustCompile(`(?m)^note: .* is newer than the kernel's program: .*\n?`)
	// long work says so where a busy machine makes it long
	waiting = regexp.MustCompile(`(?m)^.*: \S+ ?\S* so far\n?`)
)

// output is an output of a code cell.
type output struct {
	Kind     string         `json:"output_type"`
	Name     string         `json:"name,omitempty"`
	Text     lines          `json:"text,omitempty"`
	Data     map[string]any `json:"data,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// stored returns what is kept of an output, as the file has it: one form of a value, no times, no progress bars, no
// controls, small pictures. ok is false for nothing.
func (o output) stored() (kept map[string]any, ok bool, err error) {
	if o.Kind == "stream" {
		text := plainText(string(o.Text))
		if text == "" {
			return nil, false, nil
		}
		return map[string]any{"output_type": o.Kind, "name": o.Name, "text": split(text)}, true, nil
	}
	html, picture := joined(o.Data["text/html"]), joined(o.Data["image/png"])
	if strings.Contains(html, "<progress") || o.Kind == "error" {
		return nil, false, nil
	}
	data := map[string]any{"text/plain": split(plainText(joined(o.Data["text/plain"])))}
	switch {
	case picture != "":
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(picture))
		if err != nil {
			return nil, false, err
		}
		if raw, err = small(raw); err != nil {
			return nil, false, err
		}
		data["image/png"] = base64.StdEncoding.EncodeToString(raw)
	case html != "" && !strings.Contains(html, "ddps-"): // controls are dead without their kernel
		data["text/html"] = split(plainText(html))
	}
	kept = map[string]any{"output_type": o.Kind, "data": data, "metadata": map[string]any{}}
	if o.Kind == "execute_result" {
		kept["execution_count"] = nil
	}
	return kept, true, nil
}

// plainText is a text without times.
func plainText(s string) string {
	return duration.ReplaceAllString(waiting.ReplaceAllString(stale.ReplaceAllString(s, ""), ""), "… s")
}

// joined reads a text of the format: a string, or one a line.
func joined(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, "")
	case []any:
		var b strings.Builder
		for _, s := range v {
			b.WriteString(fmt.Sprint(s))
		}
		return b.String()
	}
	return ""
}

// split writes a text as the format has it, a line a string.
func split(s string) []string {
	list := strings.SplitAfter(s, "\n")
	if n := len(list); list[n-1] == "" && n > 1 {
		list = list[:n-1]
	}
	return list
}

// withOutputs returns a notebook as it is stored with the outputs of a run of it.
func withOutputs(source, ran []byte) ([]byte, error) {
	var run book
	if err := json.Unmarshal(ran, &run); err != nil {
		return nil, err
	}
	outputs := map[string][]json.RawMessage{}
	for _, c := range run.Cells {
		outputs[c.ID] = c.Outputs
	}
	var file map[string]any
	if err := json.Unmarshal(source, &file); err != nil {
		return nil, err
	}
	for _, v := range file["cells"].([]any) {
		c := v.(map[string]any)
		if c["cell_type"] != "code" {
			continue
		}
		kept, err := storedOutputs(outputs[c["id"].(string)])
		if err != nil {
			return nil, fmt.Errorf("cell %v: %w", c["id"], err)
		}
		if tags, _ := c["metadata"].(map[string]any)["tags"].([]any); slices.Contains(tags, any(volatileTag)) {
			kept = []any{}
		}
		c["outputs"], c["execution_count"] = kept, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(file)
	return b.Bytes(), err
}

// storedOutputs is what is kept of the outputs of a cell.
func storedOutputs(list []json.RawMessage) ([]any, error) {
	kept := []any{}
	for _, raw := range list {
		var o output
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, err
		}
		k, ok, err := o.stored()
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, k)
		}
	}
	return kept, nil
}

// compareRun says where the stored outputs of a notebook are not those of a run; with -regen it stores them.
func compareRun(t *testing.T, name, dir string) {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	ran, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := withOutputs(source, ran)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if *regen {
		if err := os.WriteFile(name, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, fault := range differences(source, fresh) {
		t.Errorf("%s: %s; look, then run with -regen", name, fault)
	}
}

// differences says in which cells the outputs of two notebooks differ.
func differences(stored, fresh []byte) (list []string) {
	var a, b book
	if err := json.Unmarshal(stored, &a); err != nil {
		return []string{err.Error()}
	}
	if err := json.Unmarshal(fresh, &b); err != nil {
		return []string{err.Error()}
	}
	for i, c := range a.Cells {
		other := b.Cells[i].Outputs
		if len(c.Outputs) != len(other) {
			list = append(list, fmt.Sprintf("cell %q has %d outputs, the run %d", c.ID, len(c.Outputs), len(other)))
			continue
		}
		for j := range other {
			if fault := difference(c.Outputs[j], other[j]); fault != "" {
				list = append(list, fmt.Sprintf("cell %q, output %d: %s", c.ID, j+1, fault))
			}
		}
	}
	return list
}

// difference says how two outputs differ, "" for not at all.
func difference(stored, fresh json.RawMessage) string {
	var a, b output
	if err := json.Unmarshal(stored, &a); err != nil {
		return err.Error()
	}
	if err := json.Unmarshal(fresh, &b); err != nil {
		return err.Error()
	}
	if a.Kind != b.Kind || a.Name != b.Name || len(a.Data) != len(b.Data) {
		return fmt.Sprintf("%s %s, the run has %s %s", a.Kind, a.Name, b.Kind, b.Name)
	}
	if x, y := string(a.Text), string(b.Text); x != y {
		return fmt.Sprintf("%q, the run has %q", x, y)
	}
	for kind := range b.Data {
		x, y := joined(a.Data[kind]), joined(b.Data[kind])
		if kind == "image/png" {
			if fault := samePicture(x, y); fault != "" {
				return fault
			}
		} else if x != y {
			return fmt.Sprintf("%s %q, the run has %q", kind, x, y)
		}
	}
	return ""
}
