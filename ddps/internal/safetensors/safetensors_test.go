package safetensors

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

func sample() *File {
	return &File{Meta: map[string]string{"k": "v"}, Tensors: []Tensor{
		{Name: "a", Shape: []int{2, 3}, F32: []float32{1, 2, 3, 4, 5, 6}},
		{Name: "b", Shape: []int{0}, F32: []float32{}},
		{Name: "c", Shape: []int{2}, F64: []float64{-1, 1e300}},
		{Name: "d", Shape: []int{3}, F32: []float32{0.5, -65504, 1.5}, Half: true},
		{Name: "e", Shape: []int{3}, U8: []byte{1, 0, 255}},
	}}
}

func encode(t testing.TB, f *File) []byte {
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	data := encode(t, sample())
	f, err := Read(bytes.NewReader(data))
	if err != nil || !reflect.DeepEqual(f, sample()) {
		t.Fatalf("%+v, %v", f, err)
	}
	if !bytes.Equal(data, encode(t, f)) {
		t.Error("not the same bytes")
	}
	if _, err := f.Find("a", 5); err == nil {
		t.Error("wrong size found")
	}
	if _, err := f.Find("x", 5); err == nil {
		t.Error("missing array found")
	}
}

// float16 rounds to eleven bits; what is beyond its range is refused.
func TestHalf(t *testing.T) {
	half := func(x float32) *File {
		return &File{Tensors: []Tensor{{Name: "a", Shape: []int{1}, F32: []float32{x}, Half: true}}}
	}
	for _, x := range []float32{1, 1.0 / 3, -7.123, 1e-3} {
		f, err := Read(bytes.NewReader(encode(t, half(x))))
		if err != nil {
			t.Fatal(err)
		}
		if y := f.Tensors[0].F32[0]; math.Abs(float64(y/x-1)) > 1.0/2048 {
			t.Errorf("%g becomes %g", x, y)
		}
	}
	if err := Write(io.Discard, half(1e5)); err == nil {
		t.Error("1e5 is written")
	}
}

// Every cut and every flipped bit of data or header is refused, or gives a file that reads as such.
func TestDamage(t *testing.T) {
	data := encode(t, sample())
	for n := range data {
		if _, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Errorf("cut at %d of %d: no error", n, len(data))
		}
	}
	for i := len(data) - 40; i < len(data); i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 4
		if _, err := Read(bytes.NewReader(bad)); err == nil {
			t.Errorf("bit flipped at %d: no error", i)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(encode(f, sample()))
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if g, err := Read(bytes.NewReader(data)); err == nil {
			encode(t, g)
		}
	})
}

// TestRepeatedName: a header that has a name twice says two things of one tensor.
func TestRepeatedName(t *testing.T) {
	head := `{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`
	data := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	if _, err := Read(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), `key "a" twice`) {
		t.Error(err)
	}
}
