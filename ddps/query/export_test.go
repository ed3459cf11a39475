package query

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// NextOf is NewNext of a mixture alone.
func NextOf(g *ddps.LayeredGraph, m *mixture.Mixture) *Next {
	return &Next{g, []nextPart{{0, alongMixture(m)}}}
}
