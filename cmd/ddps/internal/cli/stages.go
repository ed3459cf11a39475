package cli

// Stages shows the stages of a study as progress.
type Stages struct {
	a *App
	p *Progress
}

// NewStages returns stages that show themselves on a's standard error.
func NewStages(a *App) *Stages { return &Stages{a: a} }

// Begin begins a stage, of which done parts of total are done.
func (s *Stages) Begin(stage string, done, total int) { s.p = s.a.NewProgress(stage, done, total) }

// Set shows how many parts are done, and a detail.
func (s *Stages) Set(done int, detail string) { s.p.Set(done, detail) }

// End ends the stage.
func (s *Stages) End() { s.p.Done() }
