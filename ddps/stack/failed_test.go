package stack

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// noNumber is a distribution whose log-probabilities are NaN.
type noNumber struct{ Distribution }

func (noNumber) LogProb(_ []ddps.Path, out []float64) error {
	for i := range out {
		out[i] = math.NaN()
	}
	return nil
}

// A part that cannot be fitted is left out, and one that cannot be fitted again stays; the stack says why.
func TestFitFailed(t *testing.T) {
	f := fixtureOf(t, 4, 1)
	train, validation, err := Split(f.g, chain.Sample{Paths: f.data.Paths}, .2, 1)
	if err != nil {
		t.Fatal(err)
	}
	infinite, full := errors.New("the loss is infinite"), errors.New("no room")
	fails := func(name string, d Distribution, err, again error) Fitter {
		return Fitter{Name: name, Fit: func(context.Context, chain.Sample, chain.Sample) (Distribution, Refit, error) {
			return d, func(context.Context, chain.Sample) (Distribution, error) { return nil, again }, err
		}}
	}
	fit := func(list ...Fitter) (*Stack, error) {
		return Fit(context.Background(), list, train, validation, true, nil)
	}
	s, err := fit(fails("mixture", nil, infinite, nil), fails("odd", noNumber{f.net}, nil, nil), FirstOrder(f.g),
		fails("network", f.net, nil, full))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Parts) != 2 || s.Parts[0].Name != "first-order chain" || s.Parts[1].Distribution != Distribution(f.net) {
		t.Errorf("the parts are %+v", s.Parts)
	}
	if !errors.Is(s.Failed["mixture"], infinite) || !errors.Is(s.Failed["network"], full) || s.Failed["odd"] == nil {
		t.Errorf("failed: %v", s.Failed)
	}
	if s.Parts[1].Weight == 0 {
		t.Error("the network has no weight")
	}
	_, err = fit(fails("mixture", nil, infinite, nil))
	if !errors.Is(err, infinite) || !strings.Contains(err.Error(), "every part was left out: mixture") ||
		!strings.Contains(err.Error(), "the loss is infinite") {
		t.Errorf("the error of the only part is %v", err)
	}
	if _, err = fit(FirstOrder(f.g), fails("network", nil, errors.Join(ErrStop, full), nil)); !errors.Is(err, full) {
		t.Errorf("a fit that cannot go on ends with %v", err)
	}
	if _, err = fit(FirstOrder(f.g), fails("network", f.net, nil, errors.Join(ErrStop, full))); !errors.Is(err, full) {
		t.Errorf("a second fit that cannot go on ends with %v", err)
	}
}
