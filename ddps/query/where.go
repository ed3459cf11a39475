package query

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/internal/plaintext"
)

// Env is what conditions as text may name: the totals reward and cost, by edge, nil where there are none; aliases;
// files of names, from the working directory.
func Env(reward, cost []float64, alias map[string][]string) where.Env {
	return where.Env{Totals: map[string][]float64{"reward": reward, "cost": cost}, Alias: alias,
		ReadFile: plaintext.ReadFile}
}

// ParseWhere returns the condition that a text of package where describes, with the totals reward and cost, nil
// where there are none. The error is a *where.Error where the text or a name in it is wrong. The text may name
// files, which are read: texts of others are compiled by where.Expr.CompileContext, without Env.ReadFile.
func ParseWhere(text string, g *ddps.LayeredGraph, reward, cost []float64) (guide.Condition, error) {
	x, err := where.Parse(text)
	if err != nil {
		return nil, err
	}
	return x.Compile(g, Env(reward, cost, nil))
}
