package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/stack"
)

// storeBytes adds what write writes.
func storeBytes(f *safetensors.File, prefix string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f.Tensors = append(f.Tensors, safetensors.Tensor{Name: prefix + ".file", Shape: []int{b.Len()}, U8: b.Bytes()})
	return nil
}

func fetchNumbers(f *safetensors.File, name string, n int) ([]float64, error) {
	t, err := f.Find(name, n)
	if err == nil && len(t.F64) != n {
		err = fmt.Errorf("array %q is not float64", name)
	}
	if err != nil {
		return nil, err
	}
	return t.F64, nil
}

func fetchBytes(f *safetensors.File, prefix string) ([]byte, error) {
	for _, t := range f.Tensors {
		if t.Name == prefix+".file" && t.U8 != nil {
			return t.U8, nil
		}
	}
	return nil, fmt.Errorf("array %q of bytes is missing", prefix+".file")
}

// WritePart writes a part of a stack, and a note on how it was made. The same part gives the same bytes. The error says
// so if it is of a type that has no file.
func WritePart(w io.Writer, d stack.Distribution, note string) error {
	f := &safetensors.File{Meta: map[string]string{safetensors.Format: partFormat, safetensors.Version: partVersion,
		noteKey: note, "fingerprint": Fingerprint(d.Graph())}}
	var r record
	if err := storePart(f, "part", d, &r, false); err != nil {
		return fmt.Errorf("model: part: %w", err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("model: part: %w", err)
	}
	if f.Meta[partKey] = string(data); r.Visited > 0 {
		f.Meta[safetensors.Version] = partVisitedVersion
	}
	return safetensors.WriteSealed(w, f)
}

// ReadPart reads what WritePart has written, of the paths of g. The error says what is wrong, or that it is of another
// graph.
func ReadPart(r io.Reader, g *ddps.LayeredGraph) (d stack.Distribution, note string, err error) {
	f, err := safetensors.ReadSealed(r, "part", partFormat, partVersion, partVisitedVersion)
	var rec record
	if err == nil {
		err = json.Unmarshal([]byte(f.Meta[partKey]), &rec)
	}
	if err == nil && f.Meta["fingerprint"] != Fingerprint(g) {
		err = fmt.Errorf("the part is of another graph")
	}
	if err == nil {
		d, err = fetchPart(f, "part", rec, g)
	}
	if err != nil {
		return nil, "", fmt.Errorf("model: part: %w", err)
	}
	return d, f.Meta[noteKey], nil
}
