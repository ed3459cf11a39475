package gen

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// singles writes a kernel over arrays of float32: in AVX-512 vectors of sixteen, or of eight where narrow, in AVX2 of
// eight.
type singles struct {
	*kernel
	narrow  bool
	numbers map[float32]operand.Op
}

// singleBytes is the size of a float32; blockBytes that of a vec.Block, of blockSize numbers.
const singleBytes, blockSize, blockBytes = 4, 32, 128

// arrays writes the kernels over arrays of float32, and of float64.
func arrays(f *file) {
	const two, three = "func(to, x *float32, n int)", "func(to, x, y *float32, n int)"
	const turn, double = "func(to, from *float32, toStride, fromStride, rows, cols int)", "func(to, x *float64, n int)"
	f.arrays(widths, "dense", "func(y *[32]float32, w, b *float32, x *[32]float32, outs, n, stride int)", singles.dense)
	f.arrays(widths, "denseAdd", "func(y, w *float32, x *[32]float32, outs, n, stride int)", singles.denseAdd)
	f.arrays(widths, "sumRows", "func(to, from, in *float32, at *int32, scale, n, rows, sums, stride int)",
		singles.sumRows)
	f.arrays(widths[1:], "transpose", turn, singles.transpose)
	f.arrays(widths[1:], "transposeAdd", turn, singles.transposeAdd)
	f.arrays(widths, "plus", three, singles.plus)
	f.arrays(widths, "times", three, singles.times)
	f.arrays(widths, "average", three, singles.average)
	f.arrays(widths, "axpy", "func(to, x *float32, a float32, n int)", singles.axpy)
	f.arrays(widths, "exps", two, singles.exps)
	f.arrays(widths, "silu", two, singles.silu)
	f.arrays(widths, "siluAdd", two, singles.siluAdd)
	f.arrays(widths, "siluBack", two, singles.siluBack)
	f.arrays(widths, "gates", "func(gates, a, h, to *float32, n int)", singles.gates)
	f.arrays(widths, "gatesBack", "func(d, gates, a, h, to *float32, n int)", singles.gatesBack)
	f.arrays(widths, "norm", "func(y, x *[32]float32, film *float32, n int, count, eps float32)", singles.norm)
	f.arrays(widths, "adamW", "func(c *[10][8]float64, w, grad, m, v, mean *float32, n int, odd *[8]float32)",
		singles.adamW)
	f.arrays(widths, "logs", double, singles.logs)
	f.arrays(widths, "expsDown", double, singles.expsDown)
}

// arrays adds the kernel that text writes, for the widths.
func (f *file) arrays(widths []width, name, signature string, text func(k singles)) {
	for _, w := range widths {
		f.Function(name + w.name)
		f.Attributes(attr.NOSPLIT)
		f.Pragma("noescape")
		f.SignatureExpr(signature)
		k := singles{&kernel{Context: f.Context, width: w, consts: f.consts}, false, map[float32]operand.Op{}}
		text(k)
		k.VZEROUPPER()
		k.RET()
	}
}

// param loads an argument.
func (k singles) param(name string) reg.GPVirtual {
	r := k.GP64()
	k.Load(k.Param(name), r)
	return r
}

// full reports whether vectors have sixteen numbers.
func (k singles) full() bool { return k.wide && !k.narrow }

// bytes is the size of a vector.
func (k singles) bytes() int {
	if k.full() {
		return 64
	}
	return 32
}

// eight returns k with vectors of eight.
func (k singles) eight() singles {
	k.narrow, k.numbers = true, map[float32]operand.Op{}
	return k
}

func (k singles) vector() reg.VecVirtual {
	if k.full() {
		return k.ZMM()
	}
	return k.YMM()
}

func (k singles) load(m operand.Mem) reg.VecVirtual {
	x := k.vector()
	k.VMOVUPS(m, x)
	return x
}

// copyOf returns a register of its own with x, of a register or memory.
func (k singles) copyOf(x operand.Op) reg.VecVirtual {
	y := k.vector()
	k.VMOVUPS(x, y)
	return y
}

func (k singles) store(x reg.VecVirtual, m operand.Mem) { k.VMOVUPS(x, m) }

// spread returns the float32 at m in every lane.
func (k singles) spread(m operand.Mem) reg.VecVirtual {
	x := k.vector()
	k.VBROADCASTSS(m, x)
	return x
}

// address returns where an argument is.
func (k singles) address(name string) operand.Mem {
	p, err := k.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

func (k singles) zero() reg.VecVirtual {
	x := k.vector()
	if k.full() {
		k.VPXORD(x, x, x)
	} else {
		k.VXORPS(x, x, x)
	}
	return x
}

// op returns x op y, with op an instruction; y may be memory.
func (k singles) op(f func(...operand.Op), x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	f(y, x, z)
	return z
}

// number returns where x is in every lane: in memory, and in AVX-512, after keep, in a register.
func (k singles) number(x float32) operand.Op {
	if r, ok := k.numbers[x]; ok {
		return r
	}
	b := math.Float32bits(x)
	at := uint64(b)<<32 | 0xffff // no float64 of vector.go has these bits
	m, ok := k.consts[at]
	if !ok {
		m = k.StaticGlobal(fmt.Sprintf("s%08x", b))
		k.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 16 {
			k.AddDatum(4*i, operand.U32(b))
		}
		k.consts[at] = m
	}
	return m
}

// keep keeps numbers in registers, where there are enough.
func (k singles) keep(x ...float32) {
	for _, x := range x {
		if k.full() {
			k.numbers[x] = k.load(k.number(x).(operand.Mem))
		}
	}
}

// over runs body for n numbers, a multiple of eight, and moves the pointers on: body works on a vector at an offset of
// each pointer.
func (k singles) over(n reg.GPVirtual, pointers []reg.GPVirtual, body func(k singles, off int)) {
	pass := func(k singles, size int) {
		next, end := k.label("next"), k.label("end")
		k.Label(next)
		k.CMPQ(n, operand.I32(size))
		k.JL(operand.LabelRef(end))
		for off := 0; off < size*singleBytes; off += k.bytes() {
			body(k, off)
		}
		for _, p := range pointers {
			k.ADDQ(operand.I32(size*singleBytes), p)
		}
		k.SUBQ(operand.I32(size), n)
		k.JMP(operand.LabelRef(next))
		k.Label(end)
	}
	pass(k, blockSize)
	pass(k.eight(), 8)
}

// plus writes to = x + y.
func (k singles) plus() {
	to, x, y, n := k.param("to"), k.param("x"), k.param("y"), k.param("n")
	k.over(n, []reg.GPVirtual{to, x, y}, func(k singles, off int) {
		k.store(k.op(k.VADDPS, k.load(mem(x).Offset(off)), mem(y).Offset(off)), mem(to).Offset(off))
	})
}

// times writes to = x·y.
func (k singles) times() {
	to, x, y, n := k.param("to"), k.param("x"), k.param("y"), k.param("n")
	k.over(n, []reg.GPVirtual{to, x, y}, func(k singles, off int) {
		k.store(k.op(k.VMULPS, k.load(mem(x).Offset(off)), mem(y).Offset(off)), mem(to).Offset(off))
	})
}

// average writes to = (x + y)/2.
func (k singles) average() {
	to, x, y, n := k.param("to"), k.param("x"), k.param("y"), k.param("n")
	k.over(n, []reg.GPVirtual{to, x, y}, func(k singles, off int) {
		sum := k.op(k.VADDPS, k.load(mem(x).Offset(off)), mem(y).Offset(off))
		k.store(k.op(k.VMULPS, sum, k.number(0.5)), mem(to).Offset(off))
	})
}

// axpy writes to += a·x.
func (k singles) axpy() {
	to, x, n := k.param("to"), k.param("x"), k.param("n")
	a := k.spread(k.address("a"))
	k.over(n, []reg.GPVirtual{to, x}, func(k singles, off int) {
		b := a
		if !k.full() {
			b = a.AsY().(reg.VecVirtual)
		}
		sum := k.load(mem(to).Offset(off))
		k.VFMADD231PS(mem(x).Offset(off), b, sum)
		k.store(sum, mem(to).Offset(off))
	})
}
