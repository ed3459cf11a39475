package markov

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Compact returns the settings nearest to cfg with which the product graph of a model of the sample has at most limit
// edges (0: MaxEdges): cfg itself, or without the places visited and runs, with contexts of fewer and fewer last
// places, at last without the start. The error is ErrTooLarge where order 1 is not small enough. O(limit) for each
// that is tried.
func Compact(g *ddps.LayeredGraph, s chain.Sample, cfg Config, limit int) (Config, error) {
	if limit == 0 {
		limit = MaxEdges
	}
	for {
		m, weights, err := prepare(g, s, cfg)
		if err != nil {
			return cfg, err
		}
		m.count(s.Paths, weights)
		_, _, err = chain.Unfold(g, m.begin(nil), func(q state, e int) (state, bool) { return m.after(q, e, nil), true },
			limit)
		switch {
		case err == nil:
			return cfg, nil
		case cfg.Visited:
			cfg.Visited = false
		case cfg.Run > 0:
			cfg.Run = 0
		case cfg.Order > 1:
			cfg.Order--
		case cfg.Start:
			cfg.Start = false
		default:
			return cfg, fmt.Errorf("markov: a product graph of at most %d edges: %w", limit, errors.Join(ErrTooLarge, err))
		}
	}
}
