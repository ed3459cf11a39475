package blocks

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// Options says how Count reads.
type Options struct {
	Format   string // one of Formats; "": by each file's ending
	Vertices pathfile.Vertices
	Threads  int // at least 1
	// Bad is called for each bad row, in order; its error ends the counting.
	Bad func(*RowError) error
	// Progress, if not nil, is called with the bytes counted so far.
	Progress func(done int64)
}

// cut is the most bytes that one thread counts at a time.
const cut = 8 << 20

// Count counts the paths of blocks of files: the same whatever the threads.
func Count(ctx context.Context, list []Block, g *ddps.LayeredGraph, o Options) (*Counts, error) {
	type part struct {
		*Counts
		bad []*RowError
	}
	var parts []Block
	for _, b := range list {
		parts = append(parts, b.Cut(cut)...)
	}
	grp, ctx := errgroup.WithContext(ctx)
	grp.SetLimit(max(1, o.Threads) + 1)
	results := make([]chan part, len(parts))
	slots := make(chan struct{}, 2*max(1, o.Threads)) // parts counted and not yet added
	for i := range results {
		results[i] = make(chan part, 1)
	}
	total, done := NewCounts(), int64(0)
	grp.Go(func() error {
		for i, c := range results {
			var p part
			select {
			case p = <-c:
			case <-ctx.Done():
				return ctx.Err()
			}
			for _, row := range p.bad {
				if err := o.Bad(row); err != nil {
					return err
				}
			}
			if err := total.Merge(p.Counts); err != nil {
				return err
			}
			if done += parts[i].To - parts[i].From; o.Progress != nil {
				o.Progress(done)
			}
			<-slots
		}
		return nil
	})
	for i, b := range parts {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return nil, errors.Join(grp.Wait(), nil)
		}
		grp.Go(func() error {
			p := part{Counts: NewCounts()}
			err := Each(b, g, o.Format, o.Vertices, p.Add, func(e *RowError) error {
				p.bad = append(p.bad, e)
				return nil
			})
			results[i] <- p
			return err
		})
	}
	if err := grp.Wait(); err != nil {
		return nil, err
	}
	return total, nil
}

// Merge adds the counts of o, whose new paths come after c's.
func (c *Counts) Merge(o *Counts) error {
	for k, key := range o.Keys {
		if err := c.AddKey(key, o.N[k]); err != nil {
			return err
		}
	}
	return nil
}

// Data returns the counts as data of g.
func (c *Counts) Data(g *ddps.LayeredGraph) *datasets.Data {
	d := &datasets.Data{Graph: g, Paths: make([]ddps.Path, len(c.Keys)), Counts: c.N}
	for i, key := range c.Keys {
		d.Paths[i] = PathOf(make(ddps.Path, 0, g.NumLayers()), key)
	}
	return d
}
