package shard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gocloud.dev/blob"
)

// Set is the objects of one job with one number of shards.
type Set struct {
	Job     Job
	Of      int
	Objects []*Object // in order, none counted twice: no two of them overlap
	Left    []*Object // left out, because others cover their shards
}

// Damaged is an object that is not what it was when it was written.
type Damaged struct {
	Name string
	Err  error
}

// Sets reads the headers of all objects in the store and the content of each, and returns them by job, in the order of
// their keys and numbers of shards, and those that are damaged. Other files are passed over. Where objects overlap,
// those that reach furthest from each shard on are taken.
func (s *Store) Sets(ctx context.Context) (sets []*Set, damaged []Damaged, err error) {
	var names []string
	err = s.retry(ctx, func() error {
		names = names[:0]
		for it := s.bucket.List(nil); ; {
			var o *blob.ListObject
			if o, err = it.Next(ctx); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if isObject(o.Key) {
				names = append(names, o.Key)
			}
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("shard: store %s: %w", s.name, err)
	}
	by := map[string]*Set{}
	for _, key := range names {
		o, err := s.stat(ctx, key, true)
		if errors.Is(err, ErrDamaged) {
			damaged = append(damaged, Damaged{key, err})
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("shard: store %s: %s: %w", s.name, key, err)
		}
		k := fmt.Sprintf("%s/%d", o.Job.Key(), o.Part.Of)
		if by[k] == nil {
			by[k] = &Set{Job: o.Job, Of: o.Part.Of}
			sets = append(sets, by[k])
		}
		by[k].Objects = append(by[k].Objects, o)
	}
	for _, set := range sets {
		set.tile()
	}
	slices.SortFunc(sets, func(a, b *Set) int {
		return cmp.Or(cmp.Compare(a.Job.Key(), b.Job.Key()), cmp.Compare(a.Of, b.Of))
	})
	return sets, damaged, nil
}

// tile sorts the objects and leaves out those whose shards others have.
func (s *Set) tile() {
	slices.SortFunc(s.Objects, func(a, b *Object) int {
		return cmp.Or(cmp.Compare(a.Part.From, b.Part.From), cmp.Compare(b.Part.To, a.Part.To))
	})
	var kept []*Object
	next := 1
	for _, o := range s.Objects {
		if o.Part.From < next {
			s.Left = append(s.Left, o)
			continue
		}
		kept, next = append(kept, o), o.Part.To+1
	}
	s.Objects = kept
}

// Missing returns the ranges of shards that no object has, in order.
func (s *Set) Missing() (list []Part) {
	next := 1
	for _, o := range s.Objects {
		if o.Part.From > next {
			list = append(list, Part{next, o.Part.From - 1, s.Of})
		}
		next = o.Part.To + 1
	}
	if next <= s.Of {
		list = append(list, Part{next, s.Of, s.Of})
	}
	return list
}

// Within returns the set of the objects that lie in p; the error names shards of p that none has, or an object that
// lies across one of its ends.
func (s *Set) Within(p Part) (*Set, error) {
	out := &Set{Job: s.Job, Of: s.Of}
	next := p.From
	for _, o := range s.Objects {
		switch {
		case o.Part.To < p.From || o.Part.From > p.To:
			continue
		case o.Part.From < p.From || o.Part.To > p.To:
			return nil, fmt.Errorf("shard: %v lies across an end of %v", o.Part, p)
		case o.Part.From > next:
			return nil, fmt.Errorf("shard: %v is missing", Part{next, o.Part.From - 1, s.Of})
		}
		out.Objects, next = append(out.Objects, o), o.Part.To+1
	}
	if next <= p.To {
		return nil, fmt.Errorf("shard: %v is missing", Part{next, p.To, s.Of})
	}
	return out, nil
}
