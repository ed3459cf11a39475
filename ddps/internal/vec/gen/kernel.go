// Package gen writes the assembly of package vec: each kernel is one text, assembled for AVX-512 and for AVX2.
package gen

import (
	"bytes"
	"fmt"
	"math"
	"reflect"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// width is an instruction set: vectors of eight float64 in AVX-512, of four in AVX2.
type width struct {
	name string // suffix of the kernels
	wide bool
}

var widths = []width{{"AVX512", true}, {"AVX2", false}}

// kernel is one function of assembly as it is written.
type kernel struct {
	*build.Context
	width
	consts map[uint64]operand.Mem
	labels int
	args   reg.GPVirtual // *abi.Args
}

// file is one assembly file and its Go stubs.
type file struct {
	*build.Context
	consts map[uint64]operand.Mem
	calls  bytes.Buffer // Go functions that choose among the widths
}

func newFile() *file {
	f := &file{Context: build.NewContext(), consts: map[uint64]operand.Mem{}}
	f.Constraint(buildtags.Term("amd64"))
	return f
}

// lanes adds the kernel that text writes, for both widths: a function of *Args.
func (f *file) lanes(name string, text func(k *kernel)) {
	for _, w := range widths {
		f.Function(name + w.name)
		f.Attributes(attr.NOSPLIT)
		f.Pragma("noescape")
		f.SignatureExpr("func(a *byte)")
		k := &kernel{Context: f.Context, width: w, consts: f.consts}
		k.args = k.GP64()
		k.Load(k.Param("a"), k.args)
		text(k)
		k.VZEROUPPER()
		k.RET()
	}
	fmt.Fprintf(&f.calls, `
func %[1]s(a *Args) {
	if at == avx512 {
		%[1]sAVX512(a)
		return
	}
	%[1]sAVX2(a)
	a.Half()
	%[1]sAVX2(a)
	a.Join()
}
`, name)
}

// print returns the assembly and the stubs.
func (f *file) print(name string) (asm, stubs []byte, err error) {
	file, err := f.Result()
	if err != nil {
		return nil, nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, nil, err
	}
	cfg := printer.Config{Name: "go test ./ddps/internal/vec/gen -regen",
		Argv: []string{"go test ./ddps/internal/vec/gen -regen"}, Pkg: "vec"}
	if asm, err = printer.NewGoAsm(cfg).Print(file); err != nil {
		return nil, nil, err
	}
	stubs, err = printer.NewStubs(cfg).Print(file)
	stubs = bytes.ReplaceAll(stubs, []byte("a *byte"), []byte("a *Args"))
	return asm, append(stubs, f.calls.Bytes()...), err
}

// arg returns where field name of Args is.
func (k *kernel) arg(name string) operand.Mem {
	field, ok := reflect.TypeFor[abi.Args]().FieldByName(name)
	if !ok {
		panic("gen: no argument " + name)
	}
	return operand.Mem{Base: k.args, Disp: int(field.Offset)}
}

// get loads field name of Args.
func (k *kernel) get(name string) reg.GPVirtual {
	r := k.GP64()
	k.MOVQ(k.arg(name), r)
	return r
}

// at returns a register that points to entry i of array name, whose entries have the size, a power of two.
func (k *kernel) at(name string, i reg.GPVirtual, size int) reg.GPVirtual {
	r := k.GP64()
	k.MOVQ(i, r)
	k.SHLQ(operand.U8(log2(size)), r)
	k.ADDQ(k.arg(name), r)
	return r
}

func log2(n int) int { return int(math.Log2(float64(n))) }

// Sizes in bytes: of the lanes of a number, and of an entry of arrays of float64, float32 lanes and int32.
const laneSize, numberSize, singleSize, intSize = 64, 8, 32, 4

// mem is what r points to.
func mem(r reg.GPVirtual) operand.Mem { return operand.Mem{Base: r} }

// index is entry i of the array that base points to, of entries of size bytes, 1, 2, 4 or 8.
func index(base, i reg.GPVirtual, size uint8) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: size}
}

// label makes a name for a place in the function.
func (k *kernel) label(what string) string {
	k.labels++
	return fmt.Sprintf("%s%d", what, k.labels)
}
