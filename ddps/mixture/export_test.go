package mixture

import (
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// What tests outside the package need of it.

// Kinds is product graphs.
const Kinds = lifts

// ClassesOf is classes.
func ClassesOf(t *testing.T, kind, K int) (*Mixture, []ddps.Path, []float64) {
	return classes(t, kind, K)
}

// NormaliseRows makes the rows of pi sum to 1 as Posterior does.
func NormaliseRows(d *Denoiser, pi []float64) { chain.NormaliseRows(d.Graph(), pi, d.rows) }
