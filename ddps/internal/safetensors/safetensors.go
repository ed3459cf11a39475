// Package safetensors reads and writes arrays in the safetensors format (an 8-byte length, a JSON header, raw
// little-endian data), which other tools open too. The data's SHA-256 is in the header's metadata, so that
// a damaged file is refused.
package safetensors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ddps-go/ddps/internal/jsonkeys"
)

// Tensor is a named array, row-major. Exactly one of F32, F64 and U8 is set, of the length that Shape gives. Half
// stores F32 as float16, each rounded to the nearest.
type Tensor struct {
	Name  string
	Shape []int
	F32   []float32
	F64   []float64
	U8    []byte
	Half  bool
}

// File is what a file holds.
type File struct {
	Meta    map[string]string
	Tensors []Tensor // names differ
}

// Find returns the tensor of that name, with the given number of entries, or an error that says what is there.
func (f *File) Find(name string, n int) (*Tensor, error) {
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if t.Name != name {
			continue
		}
		if got := max(len(t.F32), len(t.F64), len(t.U8)); got != n {
			return nil, fmt.Errorf("array %q has %d entries, expected %d", name, got, n)
		}
		return t, nil
	}
	return nil, fmt.Errorf("array %q is missing", name)
}

// checksum is the metadata key of the data's SHA-256.
const checksum = "sha256"

// entry is a tensor's header.
type entry struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// Write writes f. The same f gives the same bytes.
func Write(w io.Writer, f *File) error {
	var data bytes.Buffer
	header := map[string]any{}
	for _, t := range f.Tensors {
		e := entry{DType: "F32", Shape: append([]int{}, t.Shape...), Offsets: [2]int{data.Len()}}
		var values any = t.F32
		switch {
		case t.F64 != nil:
			e.DType, values = "F64", t.F64
		case t.U8 != nil:
			e.DType, values = "U8", t.U8
		case t.Half:
			half, err := halves(t.F32)
			if err != nil {
				return fmt.Errorf("safetensors: array %q: %w", t.Name, err)
			}
			e.DType, values = "F16", half
		}
		if err := binary.Write(&data, binary.LittleEndian, values); err != nil {
			return fmt.Errorf("safetensors: array %q: %w", t.Name, err)
		}
		e.Offsets[1] = data.Len()
		header[t.Name] = e
	}
	meta := map[string]string{}
	for k, v := range f.Meta {
		meta[k] = v
	}
	sum := sha256.Sum256(data.Bytes())
	meta[checksum] = hex.EncodeToString(sum[:])
	header["__metadata__"] = meta
	head, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	for _, b := range [][]byte{binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, data.Bytes()} {
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// maxHeader is the most bytes of a header, as in the format's own library.
const maxHeader = 100_000_000

// Read reads a whole file, of U8, F16, F32 and F64 arrays. The error says what is wrong: too short, header, an array's
// place or size, or a checksum that does not match.
func Read(r io.Reader) (*File, error) {
	all := make([]byte, 8)
	if k, err := io.ReadFull(r, all); err == nil {
		if n := binary.LittleEndian.Uint64(all); n > maxHeader {
			return nil, errors.New("not a whole safetensors file: the header is cut off")
		} else if n == 0 {
			return nil, errors.New("not a safetensors file: header: it is empty")
		}
		rest, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		all = append(all, rest...)
	} else if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	} else {
		all = all[:k]
	}
	if len(all) < 8 {
		return nil, errors.New("not a safetensors file: too short")
	}
	n := binary.LittleEndian.Uint64(all)
	if n > uint64(len(all)-8) {
		return nil, errors.New("not a whole safetensors file: the header is cut off")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(all[8:8+n], &raw); err != nil {
		return nil, fmt.Errorf("not a safetensors file: header: %w", err)
	}
	if key, line := jsonkeys.Repeated(all[8:8+n], false); line > 0 {
		return nil, fmt.Errorf("safetensors: header: %w", jsonkeys.Error(key))
	}
	f, data := &File{Meta: map[string]string{}}, all[8+n:]
	if m, ok := raw["__metadata__"]; ok {
		if err := json.Unmarshal(m, &f.Meta); err != nil {
			return nil, fmt.Errorf("safetensors: metadata: %w", err)
		}
		delete(raw, "__metadata__")
	}
	if want, ok := f.Meta[checksum]; ok {
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			return nil, errors.New("safetensors: the checksum does not match: the file is damaged or cut off")
		}
		delete(f.Meta, checksum)
	}
	for name, m := range raw {
		t, err := tensor(name, m, data)
		if err != nil {
			return nil, fmt.Errorf("safetensors: array %q: %w", name, err)
		}
		f.Tensors = append(f.Tensors, *t)
	}
	slices.SortFunc(f.Tensors, func(a, b Tensor) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return f, nil
}

// tensor decodes one array.
func tensor(name string, m json.RawMessage, data []byte) (*Tensor, error) {
	var e entry
	if err := json.Unmarshal(m, &e); err != nil {
		return nil, err
	}
	size, ok := map[string]int{"U8": 1, "F16": 2, "F32": 4, "F64": 8}[e.DType]
	if !ok {
		return nil, fmt.Errorf("type %q is not read", e.DType)
	}
	lo, hi := e.Offsets[0], e.Offsets[1]
	if lo < 0 || hi < lo || hi > len(data) {
		return nil, fmt.Errorf("offsets %d…%d in %d bytes of data", lo, hi, len(data))
	}
	n := 1
	for _, d := range e.Shape {
		if d < 0 || (d > 0 && n > len(data)/d) {
			return nil, fmt.Errorf("shape %v does not fit the data", e.Shape)
		}
		n *= d
	}
	if n*size != hi-lo {
		return nil, fmt.Errorf("shape %v in %d bytes", e.Shape, hi-lo)
	}
	t := &Tensor{Name: name, Shape: e.Shape}
	var values any
	switch size {
	case 1:
		t.U8 = append([]byte{}, data[lo:hi]...)
		return t, nil
	case 2:
		t.F32, t.Half = wholes(data[lo:hi]), true
		return t, nil
	case 4:
		t.F32 = make([]float32, n)
		values = t.F32
	default:
		t.F64 = make([]float64, n)
		values = t.F64
	}
	return t, binary.Read(bytes.NewReader(data[lo:hi]), binary.LittleEndian, values)
}
