package live

import (
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
)

// The interpreter tells a panic's place by the kind of operation, and so often at the first such one of a function.
// Functions therefore keep the line that they are at themselves, and show it when they end:
//
//	func f() { at := 1; defer leave(&at); enter(); at = 2; s1; at = 3; s2 }
//
// at holds the function's number above the line, in lineBits.
const lineBits = 20

// function is a function of a cell, or a block at its top level, which runs in one.
type function struct {
	name  string
	cell  int
	block bool
}

// within is a function that is being rewritten.
type within struct {
	at *ast.Ident
	id int
}

// begin makes what is rewritten until end is called a part of a new function.
func (r *rewriter) begin(name string, block bool, pos token.Pos) (end func()) {
	outer := r.in
	r.in = &within{r.temp("at", pos), r.function(name, block)}
	return func() { r.in = outer }
}

// prologue returns how the function being rewritten begins.
func (r *rewriter) prologue(pos token.Pos) []ast.Stmt {
	at := &ast.AssignStmt{Lhs: []ast.Expr{use(r.in.at)}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{r.number(pos)}}
	leave := call(leaveName, pos, &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: use(r.in.at)})
	return []ast.Stmt{at, &ast.DeferStmt{Defer: pos, Call: leave}}
}

func (r *rewriter) number(pos token.Pos) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(r.in.id<<lineBits | r.line(pos))}
}

// mark returns what notes the line of n, if n may panic; nothing outside functions.
func (r *rewriter) mark(n ast.Node) []ast.Stmt {
	if r.in == nil || !risky(n) {
		return nil
	}
	pos := n.Pos()
	at := ident(r.in.at.Name, pos)
	return []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{at}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{r.number(pos)}}}
}

// again notes a loop's line once more at the end of its body, if what decides on the next round may panic.
func (r *rewriter) again(s *ast.ForStmt) {
	if (!empty(s.Cond) && risky(s.Cond)) || (!empty(s.Post) && risky(s.Post)) {
		s.Body.List = append(s.Body.List, r.mark(s)...)
	}
}

// risky tells whether a statement, without the blocks in it, may panic.
func risky(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		case *ast.IfStmt: // not what stands behind else
			found = found || !empty(n.Init) && risky(n.Init) || risky(n.Cond)
			return false
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.TypeAssertExpr, *ast.SendStmt, *ast.SelectStmt:
			found = true
		case *ast.BinaryExpr:
			found = found || n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR
		case *ast.AssignStmt:
			found = found || n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN || n.Tok == token.SHL_ASSIGN || n.Tok == token.SHR_ASSIGN
		}
		return !found
	})
	return found
}

// isBlock tells whether a statement at the top level is run in a function.
func isBlock(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt, *ast.LabeledStmt:
		return true
	}
	return false
}

func empty(n ast.Node) bool { return n == nil || reflect.ValueOf(n).IsNil() }

// register gives a function of a cell its number.
func (b *switchboard) register(f function) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.functions = append(b.functions, f)
	return len(b.functions) - 1
}

// leave is called as each function of a cell ends, in whatever way. If it panics the interpreter says so next. If it
// did not say so of the one before, that one returned: a panic that had come so far is over.
func (b *switchboard) leave(at *int) {
	if b.left.Swap(at) != nil && b.passing.Load() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.trace = nil
		b.passing.Store(false)
	}
}

// passed notes a place that a panic passed: f as the interpreter has it, or where the function that was left stood.
func (b *switchboard) passed(f Frame) {
	at := b.left.Swap(nil)
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.watch || len(b.trace) >= maxTrace {
		return
	}
	b.passing.Store(true)
	last := len(b.trace) - 1
	switch {
	case at != nil && f.Func != "" && *at>>lineBits < len(b.functions):
		fn := b.functions[*at>>lineBits]
		b.trace = append(b.trace, Frame{Cell: fn.cell, Line: *at & (1<<lineBits - 1), Func: fn.name})
	case last >= 0 && b.trace[last].Func == "" && b.trace[last].Cell == f.Cell: // the statement around a block
	default:
		f.Func = ""
		b.trace = append(b.trace, f)
	}
}

// maxTrace is the most places of a traceback.
const maxTrace = 100
