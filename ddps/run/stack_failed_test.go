package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/ddps/train"
)

// The log and the progress say why a part is left out that cannot be fitted; an error of a file ends the fit.
func TestFailedPart(t *testing.T) {
	var noted []train.PartInfo
	f := &stackFit{Run: &Run{}, h: train.Hooks{Part: func(p train.PartInfo) { noted = append(noted, p) }}}
	lines := 0
	fit := func(err error) {
		s := f.logged(stack.Fitter{Name: "mixture", Fit: func(context.Context, chain.Sample, chain.Sample) (
			stack.Distribution, stack.Refit, error) {
			return nil, nil, err
		}}, func(any) { lines++ })
		if _, _, got := s.Fit(context.Background(), chain.Sample{}, chain.Sample{}); !errors.Is(got, err) {
			t.Errorf("the error is %v, want %v", got, err)
		}
	}
	fit(errors.New("the loss is infinite"))
	if len(noted) != 1 || lines != 1 || noted[0].Part != "mixture" || !strings.Contains(noted[0].Note, "infinite") {
		t.Errorf("noted %+v, in %d lines", noted, lines)
	}
	if fit(fmt.Errorf("%w: disk full", stack.ErrStop)); len(noted) != 1 {
		t.Errorf("noted %+v", noted)
	}
}
