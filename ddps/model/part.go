package model

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/ddps/stack"
)

// record is what the metadata of a file say of a part; its arrays begin with its name.
type record struct {
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	Weight   float64 `json:"weight"`
	NLL      float64 `json:"nll"`
	Proposal bool    `json:"proposal,omitempty"`
	Visited  float64 `json:"visited,omitempty"` // of a context model, the factor of stack.DiscountVisited; 0: none
	Classes  int     `json:"classes,omitempty"` // of a mixture
	Order    int     `json:"order,omitempty"`
}

// The kinds of parts in a file.
const (
	kindFirst, kindSecond, kindMixture = "first-order", "second-order", "mixture"
	kindContext, kindGRU               = "context", "gru"
)

// stackKey is the metadata key of the parts.
const stackKey = "stack"

// storeStack adds the parts of s.
func storeStack(f *safetensors.File, s *stack.Stack, half bool) error {
	f.Meta[safetensors.Version] = stackVersion
	var list []record
	for i, p := range s.Parts {
		r := record{Name: p.Name, Weight: p.Weight, NLL: p.NLL, Proposal: p.Proposal}
		if err := storePart(f, fmt.Sprintf("part%d", i+1), p.Distribution, &r, half); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if r.Visited > 0 {
			f.Meta[safetensors.Version] = stackVisitedVersion
		}
		list = append(list, r)
	}
	data, err := json.Marshal(struct {
		NLL   float64  `json:"nll"`
		Parts []record `json:"parts"`
	}{s.NLL, list})
	f.Meta[stackKey] = string(data)
	return err
}

// fetchStack reads what storeStack has added.
func fetchStack(f *safetensors.File, g *ddps.LayeredGraph) (*stack.Stack, error) {
	var head struct {
		NLL   float64  `json:"nll"`
		Parts []record `json:"parts"`
	}
	if err := json.Unmarshal([]byte(f.Meta[stackKey]), &head); err != nil {
		return nil, fmt.Errorf("stack: %w", err)
	}
	if len(head.Parts) == 0 {
		return nil, fmt.Errorf("the stack has no parts")
	}
	var parts []stack.Part
	for i, r := range head.Parts {
		d, err := fetchPart(f, fmt.Sprintf("part%d", i+1), r, g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		parts = append(parts, stack.Part{Name: r.Name, Distribution: d, Weight: r.Weight, NLL: r.NLL, Proposal: r.Proposal})
	}
	s, err := stack.New(parts)
	if err == nil {
		s.NLL = head.NLL
	}
	return s, err
}

// storePart adds the arrays of a part, under a prefix, and sets what r says of it.
func storePart(f *safetensors.File, prefix string, of stack.Distribution, r *record, half bool) error {
	add := func(name string, x []float64) {
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: prefix + "." + name, Shape: []int{len(x)}, F64: x})
	}
	switch d := stack.Inner(of).(type) {
	case *chain.Distribution:
		if r.Kind = kindFirst; d.Product.Graph != d.Base() {
			r.Kind = kindSecond
		}
		add("p", d.P)
	case *mixture.Mixture:
		r.Kind, r.Classes, r.Order = kindMixture, len(d.Weight), 1
		if d.Product.Graph != d.Base() {
			r.Order = 2
		}
		add("weight", d.Weight)
		add("p", d.P)
	case *markov.Model:
		if r.Kind = kindContext; stack.VisitedFactor(of) < 1 {
			r.Visited = stack.VisitedFactor(of)
		}
		return storeBytes(f, prefix, func(w io.Writer) error {
			z, err := flate.NewWriter(w, flate.DefaultCompression)
			if err == nil {
				err = d.Write(z)
			}
			if err == nil {
				err = z.Close()
			}
			return err
		})
	case *gru.GRU:
		r.Kind = kindGRU
		return storeBytes(f, prefix, func(w io.Writer) error { return d.Write(w, half) })
	default:
		return fmt.Errorf("a part of type %T has no file", d)
	}
	return nil
}

// fetchPart reads what storePart has added.
func fetchPart(f *safetensors.File, prefix string, r record, g *ddps.LayeredGraph) (stack.Distribution, error) {
	switch r.Kind {
	case kindFirst, kindSecond:
		lift := chain.Identity(g)
		if r.Kind == kindSecond {
			lift = chain.Line(g)
		}
		p, err := fetchNumbers(f, prefix+".p", len(lift.Edge))
		if err != nil {
			return nil, err
		}
		l, err := chain.NewDistribution(lift, p)
		if err != nil {
			return nil, err
		}
		return stack.Chain(l), nil
	case kindMixture:
		return fetchMix(f, prefix, r, g)
	case kindContext:
		data, err := fetchBytes(f, prefix)
		if err != nil {
			return nil, err
		}
		m, err := markov.Read(flate.NewReader(bytes.NewReader(data)), g)
		if err != nil {
			return nil, err
		}
		return ContextPart(m, r.Visited)
	case kindGRU:
		data, err := fetchBytes(f, prefix)
		if err != nil {
			return nil, err
		}
		m, err := gru.Read(bytes.NewReader(data), g)
		if err != nil {
			return nil, err
		}
		return GRUPart(m), nil
	}
	return nil, fmt.Errorf("a part of kind %q: this program does not read it", r.Kind)
}

// ContextEdges is the most edges of a context model's product graph with a condition; beyond, a smaller model of the
// stack conditions in its place.
const ContextEdges = 1 << 20

// ContextPart returns a context model as a part of a stack, with the factor of stack.DiscountVisited; 0 for none. The
// error is that of DiscountVisited.
func ContextPart(m *markov.Model, visited float64) (stack.Distribution, error) {
	d := stack.Context(m, ContextEdges)
	if visited == 0 {
		return d, nil
	}
	return stack.DiscountVisited(d.(stack.Stepper), visited)
}

// GRUPart returns a GRU as a part of a stack.
func GRUPart(m *gru.GRU) stack.Stepper { return stack.Steps(m, m.Start) }

func fetchMix(f *safetensors.File, prefix string, r record, g *ddps.LayeredGraph) (stack.Distribution, error) {
	cfg := mixture.DefaultConfig()
	cfg.Order, cfg.Classes = r.Order, r.Classes
	if err := cfg.Check(g); err != nil {
		return nil, err
	}
	lift := cfg.Product(g)
	weight, err := fetchNumbers(f, prefix+".weight", r.Classes)
	if err != nil {
		return nil, err
	}
	p, err := fetchNumbers(f, prefix+".p", r.Classes*len(lift.Edge))
	if err != nil {
		return nil, err
	}
	m, err := mixture.New(lift, weight, p)
	if err != nil {
		return nil, err
	}
	return stack.Mixture(m), nil
}

// partFormat and partVersion stand in the metadata of a part's file.
const (
	partFormat         = "ddps-part"
	partVersion        = "1"
	partVisitedVersion = "2" // of a context model that discounts visited places
	partKey            = "part"
	noteKey            = "note"
)
