package lab

import (
	"context"

	"github.com/ddps-go/ddps/kernelext"
)

// Lab is where functions run that take time or show something: they end with a context and write to an Output.
type Lab struct {
	ctx func() context.Context
	out kernelext.Output
}

// New returns a Lab. ctx gives the context of what is called next.
func New(ctx func() context.Context, out kernelext.Output) *Lab { return &Lab{ctx, out} }

// Show displays values in their richest forms.
func (l *Lab) Show(values ...any) {
	for _, v := range values {
		kernelext.Show(l.out, v)
	}
}
