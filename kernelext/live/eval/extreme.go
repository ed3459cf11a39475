package eval

import (
	"go/ast"
	"go/token"
	"go/types"
)

// extreme returns the least or greatest of its arguments; a NaN wins.
func (c *comp) extreme(x *ast.CallExpr, t types.Type, op token.Token) *expr {
	best := c.convert(c.expr(x.Args[0]), t)
	for _, a := range x.Args[1:] {
		e := c.convert(c.expr(a), t)
		p := best
		o := c.fresh(t)
		switch o.fam() {
		case famI:
			less := signed(o.k)
			o.i = func(fr *frame) int64 {
				v, w := p.i(fr), e.i(fr)
				smaller := v < w
				if !less {
					smaller = uint64(v) < uint64(w)
				}
				if smaller == (op == token.LSS) {
					return v
				}
				return w
			}
		case famF:
			o.f = func(fr *frame) float64 {
				v, w := p.f(fr), e.f(fr)
				if op == token.LSS {
					return min(v, w)
				}
				return max(v, w)
			}
		default:
			o.s = func(fr *frame) string {
				v, w := p.s(fr), e.s(fr)
				if op == token.LSS {
					return min(v, w)
				}
				return max(v, w)
			}
		}
		best = o
	}
	return best
}
