package net

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Parts are what a denoiser is made of: a base, whose exact denoiser a network corrects, and the network. At most one
// of Chain and Mixture is set; neither where a plain network is all.
type Parts struct {
	Graph   *ddps.LayeredGraph
	Chain   *chain.Denoiser
	Mixture *mixture.Denoiser
	Net     Network // nil: none
}

// PartsOf returns the parts of a denoiser: a *chain.Denoiser, a *mixture.Denoiser, or one with a method Parts. ok is
// false for others.
func PartsOf(d any) (p Parts, ok bool) {
	switch d := d.(type) {
	case interface{ Parts() Parts }:
		return d.Parts(), true
	case *chain.Denoiser:
		return Parts{Graph: d.Graph(), Chain: d}, true
	case *mixture.Denoiser:
		return Parts{Graph: d.Graph(), Mixture: d}, true
	}
	return p, false
}
