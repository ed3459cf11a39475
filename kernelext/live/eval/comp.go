package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// Unsupported is Go that cells cannot do.
type Unsupported struct {
	What string
	Pos  token.Pos
	unit *unit
}

// Error says what is not supported, and what to do about it.
func (u *Unsupported) Error() string {
	return fmt.Sprintf("live cells do not support %s; run this cell compiled: remove %%%%live", u.What)
}

func unsupported(what string) *Unsupported { return &Unsupported{What: what} }

// unit is source that was checked together.
type unit struct {
	fset   *token.FileSet
	info   *types.Info
	pkg    *types.Package
	esc    map[types.Object]bool     // variables that need memory of their own
	held   map[*types.Var]types.Type // the type of what a local interface always holds, if it is known
	cell   int
	tops   map[types.Object]*global // variables at the top of the cell
	alias  map[*types.Func]*source  // functions of the cell that took the place of earlier ones
	std    bool                     // code of Go's packages
	lifted map[*ast.Ident]bool      // names that statements give values and that are declared apart
	again  map[types.Object]bool    // variables at the top that a goto makes anew: literals keep the one they saw
}

// comp compiles one function.
type comp struct {
	w      *World
	u      *unit
	sub    subst
	up     *comp // the function around a literal
	cd     *code
	vars   map[types.Object]*expr
	caps   []capture            // of the variables of functions around it
	boxAt  map[types.Object]int // where the address of a boxed variable stands
	capAt  map[types.Object]int
	slots  []reflect.Type
	size   uintptr
	labels map[string]*label
	named  []*types.Var // results with names
	resT   []types.Type
	pos    token.Pos
	early  map[ast.Expr]*expr // what was evaluated ahead of its statement
	renews *ast.IndexExpr     // the second m[k] of m[k] = append(m[k], …)
}

type capture struct{ from addrFn } // the address, in the frame of the function around it

// slot reserves memory of the frame.
func (c *comp) slot(t reflect.Type) int {
	align := uintptr(t.FieldAlign())
	c.size = (c.size + align - 1) &^ (align - 1)
	off := c.size
	c.slots = append(c.slots, t)
	c.size += t.Size()
	return int(off)
}

// layout makes the type of the frame's memory.
func (c *comp) layout() {
	var fields []reflect.StructField
	for i, t := range c.slots {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: t})
	}
	// a pointer to the last stays inside
	fields = append(fields, reflect.StructField{Name: "End", Type: reflect.TypeFor[byte]()})
	t := reflect.StructOf(fields)
	c.cd.layout, c.cd.memory = t, rtype.Of(t)
}

func (c *comp) typeOf(e ast.Expr) types.Type { return c.sub.typ(c.u.info.TypeOf(e)) }

// function compiles a function: its parameters and results first, in an order that follows from its signature.
func (w *World) function(u *unit, up *comp, sub subst, name string, sig *types.Signature, body *ast.BlockStmt) *comp {
	c := &comp{w: w, u: u, sub: sub, up: up, vars: map[types.Object]*expr{}, capAt: map[types.Object]int{},
		boxAt: map[types.Object]int{}, labels: map[string]*label{}, pos: body.Pos()}
	cd := &code{name: name, unit: u}
	c.cd = cd
	var params []*types.Var
	if r := sig.Recv(); r != nil {
		params = append(params, r)
		cd.recv = true
	}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	for r := range sig.Results().Variables() {
		t := sub.typ(r.Type())
		rt := w.types.rt(t)
		off := c.slot(rt)
		cd.outs, cd.outT = append(cd.outs, off), append(cd.outT, rt)
		c.resT = append(c.resT, t)
		if r.Name() != "" {
			c.named = append(c.named, r)
		}
	}
	for _, p := range params {
		rt := w.types.rt(sub.typ(p.Type()))
		cd.ins, cd.inT = append(cd.ins, c.slot(rt)), append(cd.inT, rt)
	}
	for i, r := range c.named {
		c.place(r, cd.outs[i], true)
	}
	for i, p := range params {
		c.place(p, cd.ins[i], false)
	}
	cd.body = c.block(body.List)
	c.layout()
	return c
}

// expr compiles an expression with one value.
func (c *comp) expr(x ast.Expr) *expr {
	x = ast.Unparen(x)
	if e := c.early[x]; e != nil {
		return e
	}
	tv := c.u.info.Types[x]
	if tv.Value != nil && tv.Value.Kind() != constant.Unknown {
		return c.constant(c.sub.typ(tv.Type), tv.Value)
	}
	switch x := x.(type) {
	case *ast.BasicLit:
		return c.constant(c.sub.typ(tv.Type), constant.MakeFromLiteral(x.Value, x.Kind, 0))
	case *ast.Ident:
		return c.ident(x)
	case *ast.SelectorExpr:
		return c.selector(x)
	case *ast.BinaryExpr:
		return c.binary(x)
	case *ast.UnaryExpr:
		return c.unary(x)
	case *ast.StarExpr:
		return c.deref(c.expr(x.X), c.typeOf(x))
	case *ast.IndexExpr:
		return c.index(x)
	case *ast.IndexListExpr:
		return c.instance(x, x.X)
	case *ast.SliceExpr:
		return c.slicing(x)
	case *ast.CompositeLit:
		return c.composite(x, c.typeOf(x))
	case *ast.FuncLit:
		return c.funcLit(x)
	case *ast.CallExpr:
		return c.callOne(x)
	case *ast.TypeAssertExpr:
		return c.assertion(x)
	}
	panic(unsupported(fmt.Sprintf("this expression (%T)", x)))
}

// source returns where a function of cells comes from, nil for compiled ones.
func (c *comp) source(fn *types.Func) *source {
	if s := c.u.alias[fn]; s != nil {
		return s
	}
	return c.w.source(fn)
}

// deref returns *e.
func (c *comp) deref(e *expr, t types.Type) *expr {
	u := e.u
	o := c.load(t, func(fr *frame) unsafe.Pointer {
		p := u(fr)
		if p == nil {
			nilPanic()
		}
		return p
	})
	o.addr = true
	return o
}

// nilPanic panics as Go does where a nil pointer is followed.
func nilPanic() { _ = *(*byte)(nilPointer()) }

//go:noinline
func nilPointer() unsafe.Pointer { return nil }

func (c *comp) unary(x *ast.UnaryExpr) *expr {
	if x.Op == token.AND {
		return c.address(x)
	}
	if x.Op == token.ARROW {
		return c.receive(x, false)
	}
	e := c.expr(x.X)
	t := c.typeOf(x)
	e = c.convert(e, t)
	switch {
	case x.Op == token.ADD:
		o := *e
		o.addr = false
		return &o
	case x.Op == token.NOT:
		return c.scalar(t, func(o *expr) { o.b = func(fr *frame) bool { return !e.b(fr) } })
	case x.Op == token.XOR:
		return c.scalar(t, func(o *expr) { o.i = wrapInt(o.k, func(fr *frame) int64 { return ^e.i(fr) }) })
	case e.fam() == famI:
		return c.scalar(t, func(o *expr) { o.i = wrapInt(o.k, func(fr *frame) int64 { return -e.i(fr) }) })
	case e.fam() == famF:
		return c.scalar(t, func(o *expr) { o.f = func(fr *frame) float64 { return -e.f(fr) } })
	}
	z := c.complexOf(e)
	return c.load(t, c.complexAt(e.k, func(fr *frame) complex128 { return -z(fr) }))
}

// address returns &x.
func (c *comp) address(x *ast.UnaryExpr) *expr {
	t := c.typeOf(x)
	o := c.fresh(t)
	if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
		e := c.composite(lit, c.typeOf(lit))
		rt, p := rtype.Of(e.rt), e.p
		if e.p == nil {
			p = c.memory(e)
		}
		o.u = func(fr *frame) unsafe.Pointer {
			src := p(fr)
			n := rtype.New(rt)
			move(rt, n, src)
			return n
		}
		return o
	}
	e := c.expr(x.X)
	o.u = e.p
	return o
}
