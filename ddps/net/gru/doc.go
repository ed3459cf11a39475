// Package gru is a gated recurrent unit over the places of a layered graph: an autoregressive distribution over its
// paths.
package gru
