package eval_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// Floats out of an integer type's range become what they become in compiled code on this machine, which the language
// leaves open.
func TestFloatToInteger(t *testing.T) {
	values := []float64{-1.9, 127.9, 128, 255.5, 256, 65535.9, 65537, 1 << 31, 1<<32 + 5, 1 << 40, -(1 << 33), 1e10,
		3e9, 1e19, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	const all = `func all(x float64, y float32) string {
	return fmt.Sprint(int8(x), int16(x), int32(x), int64(x), int(x), uint8(x), uint16(x), uint32(x),
		int8(y), int16(y), int32(y), int64(y), int(y), uint8(y), uint16(y), uint32(y), math.MaxInt16 == 32767)
}`
	w := newWorld()
	if _, err := w.run(all); err != nil {
		t.Fatal(err)
	}
	for _, x := range values {
		y := float32(x)
		want := fmt.Sprint(int8(x), int16(x), int32(x), int64(x), int(x), uint8(x), uint16(x), uint32(x),
			int8(y), int16(y), int32(y), int64(y), int(y), uint8(y), uint16(y), uint32(y), true)
		got, err := w.run(fmt.Sprintf("all(math.Float64frombits(%d), float32(math.Float64frombits(%[1]d)))",
			math.Float64bits(x)))
		if err != nil || len(got) != 1 || fmt.Sprint(got[0]) != want {
			t.Errorf("%v: %v, want %s (%v)", x, got, want, err)
		}
	}
}

// What fails as in Go fails with a value of the runtime's own type: errors.As finds it, %T prints it.
func TestErrorsOfTheRuntime(t *testing.T) {
	for code, want := range map[string]string{
		"s := []int{1}\nvar u uint64 = 1 << 63\ns[u]": "runtime.boundsError runtime error: index out of range " +
			"[9223372036854775808] with length 1",
		"s := [3]int{}\nn := 5\ns[:n]": "runtime.boundsError runtime error: slice bounds out of range [:5] with length 3",
		"var x any = 1\nx.(string)":    "*runtime.TypeAssertionError interface conversion: interface {} is int, not string",
		"n := -1\nmake([]int, n)":      "runtime.errorString runtime error: makeslice: len out of range",
		"s := make([]struct{}, math.MaxInt)\nappend(s, s...)": "runtime.errorString runtime error: growslice: len out " +
			"of range",
		"type T struct{}\nfunc (T) M() {}\nvar p *T\n(*T).M(p)": "runtime.plainError value method main.T.M called using " +
			"nil *T pointer",
	} {
		w := newWorld()
		var got string
		c, err := w.Check(1, code)
		if err != nil {
			t.Fatal(code, err)
		}
		if _, _, err := c.Run(eval.NewRun(), func(v any, _ []eval.Frame) { got = fmt.Sprintf("%T %[1]v", v) }); err != nil {
			t.Fatal(code, err)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
