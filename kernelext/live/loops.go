package live

import (
	"go/ast"
	"go/token"

	"github.com/traefik/yaegi/interp"
)

// intRange is a range over what may be a whole number, which the interpreter does not know. It is first compiled as
//
//	{ n := X; for k := n - n; k < n; k++ { i := k; … } }
//
// and, where the compiler says that X is no number, as it was.
type intRange struct {
	block *ast.BlockStmt // what stands in the code
	orig  *ast.RangeStmt
}

// loop returns the block that takes the place of s.
func (r *rewriter) loop(s *ast.RangeStmt) ast.Stmt {
	if s.Value != nil {
		return s
	}
	if _, ok := s.X.(*ast.CompositeLit); ok {
		return s
	}
	pos := s.For
	n, k := r.temp("n", pos), r.temp("k", pos)
	body := s.Body
	if key, ok := s.Key.(*ast.Ident); s.Key != nil && (!ok || key.Name != "_") {
		set := &ast.AssignStmt{Lhs: []ast.Expr{s.Key}, TokPos: pos, Tok: s.Tok, Rhs: []ast.Expr{use(k)}}
		body = &ast.BlockStmt{Lbrace: body.Lbrace, List: append([]ast.Stmt{set}, body.List...), Rbrace: body.Rbrace}
	}
	loop := &ast.ForStmt{For: pos,
		Init: &ast.AssignStmt{Lhs: []ast.Expr{k}, TokPos: pos, Tok: token.DEFINE,
			Rhs: []ast.Expr{&ast.BinaryExpr{X: use(n), OpPos: pos, Op: token.SUB, Y: use(n)}}},
		Cond: &ast.BinaryExpr{X: use(k), OpPos: pos, Op: token.LSS, Y: use(n)},
		Post: &ast.IncDecStmt{X: use(k), TokPos: pos, Tok: token.INC},
		Body: body,
	}
	set := &ast.AssignStmt{Lhs: []ast.Expr{n}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{s.X}}
	block := &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{set, loop}, Rbrace: s.Body.Rbrace}
	r.loops = append(r.loops, intRange{block, s})
	return block
}

// label keeps a labelled loop's label on the loop.
func (r *rewriter) label(l *ast.LabeledStmt) ast.Stmt {
	b, ok := l.Stmt.(*ast.BlockStmt)
	if !ok || len(r.loops) == 0 || r.loops[len(r.loops)-1].block != b {
		return l
	}
	orig := r.loops[len(r.loops)-1].orig
	b.List[1] = &ast.LabeledStmt{Label: l.Label, Colon: l.Colon, Stmt: b.List[1]}
	r.labels[orig] = l
	l.Stmt = orig
	return b
}

// compileLoops compiles n, and gives its ranges back their form one by one where they are not over numbers.
func (s *Session) compileLoops(n ast.Node) (*interp.Program, error) {
	for {
		p, err := s.compile(n)
		if err == nil || !s.revert(err) {
			return p, err
		}
	}
}

// revert restores the range that a compile error points to, and tells whether there is one.
func (s *Session) revert(err error) bool {
	m := place.FindString(err.Error())
	if m == "" {
		return false
	}
	for i, l := range s.loops {
		if s.fset().Position(l.orig.For).String() != m {
			continue
		}
		var st ast.Stmt = l.orig
		if lab := s.labels[l.orig]; lab != nil {
			st = lab
		}
		l.block.List = []ast.Stmt{st}
		s.loops = append(s.loops[:i:i], s.loops[i+1:]...)
		return true
	}
	return false
}
