package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// Run runs a checked cell on this goroutine. It returns the values of the last statement if that is an expression, and
// calls failed with a panic.
func (c *Cell) Run(run *Run, failed func(value any, trace []Frame)) (values []any, silent bool, err error) {
	cd, show, silent, err := c.compile()
	if err != nil {
		return nil, false, err
	}
	c.s.run.Store(run)
	c.s.takeTrace()
	c.s.Within(run, func(th *thread) {
		fr := th.enter(cd)
		*(**[]any)(unsafe.Add(fr.mem, show)) = &values
		th.call(fr)
	}, failed)
	return values, silent, nil
}

// Repeat runs a checked cell times times, then as often as next returns, which is called with the time that they took
// together, until that is 0. Its values are dropped. A panic ends it and is what failed is called with.
func (c *Cell) Repeat(run *Run, times int, next func(took time.Duration) int, failed func(value any,
	trace []Frame)) error {
	cd, show, _, err := c.compile()
	if err != nil {
		return err
	}
	c.s.run.Store(run)
	c.s.takeTrace()
	c.s.Within(run, func(th *thread) {
		var values []any
		for times > 0 {
			begin := time.Now()
			for range times {
				fr := th.enter(cd)
				*(**[]any)(unsafe.Add(fr.mem, show)) = &values
				th.call(fr)
			}
			times = next(time.Since(begin))
		}
	}, failed)
	return nil
}

// compile makes the cell's names known and its statements ready.
func (c *Cell) compile() (cd *code, show int, silent bool, err error) {
	defer refused(&err, c.u.fset)
	for _, it := range c.decls {
		escapes(it.node, c.u.info, c.u.esc)
		holdings(it.node, c.u.info, c.u.held)
	}
	for _, st := range c.body {
		escapes(st, c.u.info, c.u.esc)
		holdings(st, c.u.info, c.u.held)
	}
	c.define()
	c.repeated()
	c.early()
	k := &comp{w: c.s.World, u: c.u, vars: map[types.Object]*expr{}, capAt: map[types.Object]int{},
		boxAt:  map[types.Object]int{},
		labels: map[string]*label{}, cd: &code{unit: c.u}}
	show = k.slot(pointerTo())
	fresh := c.fresh()
	var run []stmt
	for _, in := range c.vars {
		run = append(run, k.initVar(in))
	}
	body := c.body
	var last stmt
	if n := len(body); n > 0 {
		if x, ok := body[n-1].(*ast.ExprStmt); ok {
			last, silent = k.showing(x, show)
			body = body[:n-1]
		}
		defer k.locate(c.body[n-1])
	}
	rest := k.block(body)
	pos := token.NoPos
	if last != nil {
		pos = c.body[len(c.body)-1].Pos()
	}
	k.cd.body = func(fr *frame) ctl {
		for _, v := range fresh {
			c.u.tops[v].renew(rtype.Of(c.s.types.rt(v.Type())), v)
		}
		for i, s := range run {
			fr.pos = c.vars[i].Lhs[0].Pos()
			s(fr)
		}
		if q := rest(fr); q != next || last == nil {
			return q
		}
		fr.pos = pos
		return last(fr)
	}
	k.layout()
	return k.cd, show, silent, nil
}

// fresh returns the variables that the cell declares at the package's level, which are zero when it begins.
func (c *Cell) fresh() (list []*types.Var) {
	for _, it := range c.decls {
		g, ok := it.node.(*ast.File).Decls[0].(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || slices.ContainsFunc(it.defines, func(n string) bool { return c.kept[n] != nil }) {
			continue
		}
		for _, spec := range g.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				if v, ok := c.u.info.Defs[id].(*types.Var); ok && c.u.tops[v] != nil && !c.liftedVar(v) {
					list = append(list, v)
				}
			}
		}
	}
	return list
}

// refused turns a panic of the checker or the compiler into the error that the cell cannot run live.
func refused(err *error, fset *token.FileSet) {
	r := recover()
	if r == nil {
		return
	}
	u, ok := r.(*Unsupported)
	if !ok {
		u = unsupported(fmt.Sprintf("this cell (%v)", r))
	}
	f := &Failure{Kind: "unsupported", Message: u.Error()}
	if u.Pos.IsValid() {
		f.Line = fset.Position(u.Pos).Line
	}
	*err = f
}

// early compiles the functions of the cell, so that what is not supported is known before anything runs.
func (c *Cell) early() {
	for _, it := range c.decls {
		d, ok := it.node.(*ast.File).Decls[0].(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		fn, _ := c.u.info.Defs[d.Name].(*types.Func)
		if it.method != nil {
			fn = it.method
		}
		src := c.u.alias[fn]
		if src == nil {
			src = c.s.funcs.get(fn)
		}
		if src != nil && src.sig.TypeParams().Len() == 0 && src.sig.RecvTypeParams().Len() == 0 {
			src.code(c.s.World, nil)
		}
	}
}

// initVar compiles the initialisation of variables declared at the top.
func (c *comp) initVar(in *types.Initializer) stmt {
	var lhs []ast.Expr
	for _, v := range in.Lhs {
		id := &ast.Ident{Name: v.Name(), NamePos: v.Pos()}
		c.u.info.Defs[id] = v
		lhs = append(lhs, id)
	}
	return c.stmt(&ast.AssignStmt{Lhs: lhs, Tok: token.DEFINE, Rhs: []ast.Expr{in.Rhs}, TokPos: in.Rhs.Pos()}, nil)
}

// showing compiles the last expression: its values go to where show points.
func (c *comp) showing(x *ast.ExprStmt, show int) (st stmt, silent bool) {
	call, ok := ast.Unparen(x.X).(*ast.CallExpr)
	if !ok {
		return c.exprStmt(x), true
	}
	out := func(fr *frame, v ...any) { **(**[]any)(unsafe.Add(fr.mem, show)) = v }
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == useName {
		e := c.ordered(call.Args[0])
		if e.isNil {
			return func(fr *frame) ctl { out(fr, nil); return next }, false
		}
		if e.konst != nil && e.konst.Kind() != constant.Unknown {
			if b, ok := e.t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				e = c.convert(e, types.Default(b))
			}
		}
		v := c.toAny(e)
		return func(fr *frame) ctl { out(fr, v(fr)); return next }, false
	}
	if tv := c.u.info.Types[call.Fun]; tv.IsBuiltin() || tv.IsType() {
		return c.exprStmt(x), true
	}
	r := c.call(call)
	if len(r.ts) == 0 || c.fmtFunc(call.Fun, "Print") || c.fmtFunc(call.Fun, "Fprint") { // not worth showing
		return func(fr *frame) ctl { r.run(fr); return next }, true
	}
	run, vals := c.spread(r)
	var each []func(*frame) any
	if c.fmtFunc(call.Fun, "Scan") { // the error alone: how many were read is known
		vals = vals[len(vals)-1:]
	}
	for _, v := range vals {
		each = append(each, c.toAny(v))
	}
	return func(fr *frame) ctl {
		run(fr)
		var list []any
		for _, v := range each {
			list = append(list, v(fr))
		}
		out(fr, list...)
		return next
	}, false
}

// fmtFunc reports whether fun is one of package fmt's functions whose name starts so.
func (c *comp) fmtFunc(fun ast.Expr, starts string) bool {
	fn, _ := c.static(fun)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" && strings.HasPrefix(fn.Name(), starts)
}
