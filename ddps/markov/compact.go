package markov

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Compact returns the settings nearest to cfg with which the product graph of a model of the sample has at most limit
// edges (0: MaxEdges): cfg itself, or without the places visited and runs, with contexts of fewer last places, at last
// without the start. The error is ctx's, wrapped, where that ended, and ErrTooLarge where order 1 is not small enough.
// O(length of the paths · views), and O(limit · log order): a state of a lower order is the end of one of a higher, so
// that its product has no more edges.
func Compact(ctx context.Context, g *ddps.LayeredGraph, s chain.Sample, cfg Config, limit int) (Config, error) {
	if limit == 0 {
		limit = MaxEdges
	}
	whole, weights, err := prepare(g, s, cfg)
	if err != nil {
		return cfg, err
	}
	whole.count(s.Paths, weights)
	small := func(cfg Config) bool {
		m := &Model{places: whole.places, cfg: cfg, views: cfg.views()}
		m.use(whole.tables, s.Paths, weights)
		_, _, err = chain.Unfold(g, m.begin(nil),
			func(q state, e int) (state, bool) { return m.after(q, e, nil), ctx.Err() == nil }, limit)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return err == nil
	}
	for i, simpler := range []func(*Config){
		func(*Config) {},
		func(c *Config) { c.Visited = false },
		func(c *Config) { c.Run = 0 },
	} {
		before := cfg
		if simpler(&cfg); i > 0 && cfg == before {
			continue
		}
		if small(cfg) {
			return cfg, nil
		}
	}
	most := cfg.Order - 1
	if n := sort.Search(most, func(i int) bool { c := cfg; c.Order = most - i; return small(c) }); n < most {
		cfg.Order = most - n
		return cfg, nil
	}
	if cfg.Order = 1; cfg.Start {
		if cfg.Start = false; small(cfg) {
			return cfg, nil
		}
	}
	if ctx.Err() != nil {
		return cfg, fmt.Errorf("markov: %w", ctx.Err())
	}
	return cfg, fmt.Errorf("markov: a product graph of at most %d edges: %w", limit, errors.Join(ErrTooLarge, err))
}
