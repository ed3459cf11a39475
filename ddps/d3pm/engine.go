package d3pm

// Engine draws the samples of the runs that it takes in place of the scalar code, with the same results.
type Engine interface {
	// Take returns how the engine draws the samples of r; nil where it leaves them to the scalar code. It takes a run of
	// several samplers (SampleEach) only where it draws them together.
	Take(r *run) (*Crew, error)
	// TakeParticles is Take for groups of particles.
	TakeParticles(r *particleRun) *Crew
}

// Crew says how the samples of a run, or its groups of particles, are drawn.
type Crew struct {
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

// Redraw draws the samples paths[lo…hi−1] of the run again by another engine (nil: the scalar code), with what they were
// on the way where the run keeps that: for samples of which a number left the range of an engine's arithmetic.
func (r *run) Redraw(e Engine, lo, hi int) error {
	for lo < hi {
		c, i := lo/r.per, lo%r.per
		n := min(hi-lo, r.per-i)
		s := *r.each[c]
		s.Engine, s.Backend, s.Progress = e, "", nil
		other, err := s.span(r.ctx, []*Sampler{&s}, r.first+i, r.first+i+n, r.first+i+n, r.seed, r.trace != nil)
		if err != nil {
			return err
		}
		copy(r.paths[lo:], other.paths)
		for k := range r.trace {
			copy(r.trace[k][lo:], other.trace[k])
		}
		lo += n
	}
	return nil
}
