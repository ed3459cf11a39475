package table

import (
	"go/constant"
	"math/big"
)

// floatText returns a constant that is no whole number as a literal, to its full precision.
func floatText(v constant.Value) string {
	switch x := constant.Val(v).(type) {
	case *big.Float:
		return x.Text('g', int(x.Prec()))
	case *big.Rat:
		f := new(big.Float).SetPrec(512).SetRat(x)
		return f.Text('g', 160)
	}
	return v.ExactString()
}
