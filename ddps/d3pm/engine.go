package d3pm

// Engine draws the samples of the runs that it takes in place of the scalar code, with the same results.
type Engine interface {
	// Take returns how the engine draws the samples of r; nil where it leaves them to the scalar code. It takes a run
	// of several samplers (SampleEach) only where it draws them together.
	Take(r *Run) (*Plan, error)
	// TakeParticles is Take for groups of particles.
	TakeParticles(r *ParticleRun) *Plan
}

// Plan says how the samples of a run, or its groups of particles, are drawn.
type Plan struct {
	Size, Unit int           // of a batch: the most, and the least, samples
	Threads    int           // goroutines at most; 0: those of the run
	New        func() Worker // makes the worker of a goroutine
	Free       func()        // called at the end; may be nil
}

// Worker draws batches. It is used by one goroutine.
type Worker interface {
	// Batch draws the samples, or groups, lo…hi−1 of the run and reports whether to go on.
	Batch(lo, hi int) bool
}

// HostReason says why the host draws the samples, whatever Backend says; "" where a backend can.
func (s *Sampler) HostReason() string {
	if e, ok := s.Engine.(interface{ HostReason(*Sampler) string }); ok {
		return e.HostReason(s)
	}
	return "the sampler has no engine with a backend"
}

// Redraw draws the samples paths[lo…hi−1] of the run again by another engine (nil: the scalar code), with what they
// were on the way where the run keeps that: for samples of which a number left the range of an engine's arithmetic.
func (r *Run) Redraw(e Engine, lo, hi int) error {
	for lo < hi {
		c, i := lo/r.Per, lo%r.Per
		n := min(hi-lo, r.Per-i)
		s := *r.Each[c]
		s.Engine, s.Backend, s.Progress = e, "", nil
		other, err := s.span(r.ctx, []*Sampler{&s}, r.First+i, r.First+i+n, r.First+i+n, r.Seed, r.Traced != nil)
		if err != nil {
			return err
		}
		copy(r.Paths[lo:], other.Paths)
		for k := range r.Traced {
			copy(r.Traced[k][lo:], other.Traced[k])
		}
		lo += n
	}
	return nil
}
