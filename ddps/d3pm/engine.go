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
