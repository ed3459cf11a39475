package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
)

// bench is a run.
type bench struct {
	*workshop
	results
	rounds int
	budget float64          // seconds that one measurement is to take
	peers  map[string]*peer // by engine and threads
	say    func(format string, args ...any)
}

// peer returns the process of an engine on so many threads.
func (b *bench) peer(engine string, threads int) (*peer, error) {
	key := engine + strconv.Itoa(threads)
	if p := b.peers[key]; p != nil {
		return p, nil
	}
	p, err := b.start(engine, threads)
	if err != nil {
		return nil, err
	}
	b.peers[key] = p
	b.Machine.Engines[engine] = p.note
	return p, nil
}

// retire ends all processes.
func (b *bench) retire() {
	for key, p := range b.peers {
		p.stop()
		delete(b.peers, key)
	}
}

// basis returns the seconds that count: on one thread those of the CPU, which other work on the machine hardly
// lengthens, on more those of the clock.
func basis(a answer, threads int) float64 {
	if threads == 1 {
		return a.CPU
	}
	return a.Seconds
}

// hold has engines take turns at a contest, at the batch that suits each.
func (b *bench) hold(ctx context.Context, c contest) error {
	c.Ask.Case = filepath.Join(b.dir, "cases", c.Ask.Case)
	var list []result
	var asks []ask
	for _, engine := range b.present(c.Engines) {
		r := result{Key: c.Key, Engine: engine, Case: filepath.Base(c.Ask.Case), Threads: c.Ask.Threads, Steps: c.Ask.Steps}
		q, err := b.best(ctx, c, engine, list)
		if err != nil {
			r.Error = err.Error()
		}
		if r.Batch = q.Batch; q.Limit > 0 && q.Limit < q.Steps {
			r.Taken = q.Limit
		}
		list, asks = append(list, r), append(asks, q)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for range b.rounds {
		for i := range list {
			if list[i].Error != "" {
				continue
			}
			if err := b.once(&list[i], asks[i]); err != nil {
				list[i].Error = err.Error()
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	for _, r := range list {
		mid, _, _ := median(r.Rates)
		b.say("  %-18s batch %4d  %.4g a second  %s", r.Engine, r.Batch, mid, r.Error)
	}
	b.Results = append(b.Results, list...)
	return nil
}

// once measures one round.
func (b *bench) once(r *result, q ask) error {
	p, err := b.peer(r.Engine, q.Threads)
	if err != nil {
		return err
	}
	a, err := p.ask(q)
	if err != nil {
		return err
	}
	if s := basis(a, q.Threads); s > 0 && a.Seconds > 0 {
		r.Rates, r.Wall = append(r.Rates, a.Count/s), append(r.Wall, a.Count/a.Seconds)
	}
	r.RSS = a.RSS
	return nil
}

// best returns the request at the batch that an engine is fastest with. Compilation takes minutes: what is compiled
// gets the batch that suited PyTorch before, and in a full run the next larger one too.
func (b *bench) best(ctx context.Context, c contest, engine string, before []result) (top ask, err error) {
	p, err := b.peer(engine, c.Ask.Threads)
	if err != nil {
		return top, err
	}
	batches := c.Batches
	if engine == engineCompiled {
		batches = b.compiled(batches, before)
	}
	most := 0.0
	for _, batch := range batches {
		q := c.Ask
		q.Batch = batch
		q, rate, err := b.calibrate(p, q)
		if err != nil {
			return top, err
		}
		if rate > most {
			top, most = q, rate
		}
		if ctx.Err() != nil {
			return top, ctx.Err()
		}
	}
	return top, nil
}

func (b *bench) compiled(batches []int, before []result) []int {
	for _, r := range before {
		if r.Engine != engineEager || r.Error != "" {
			continue
		}
		for i, x := range batches {
			if x == r.Batch {
				return batches[i:min(len(batches), i+1+btoi(!b.Quick))]
			}
		}
	}
	return batches[:1]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// calibrate sets how much of q makes up the budget, and returns the rate that it showed.
func (b *bench) calibrate(p *peer, q ask) (ask, float64, error) {
	q.N = 1
	budget := b.budget
	if q.Op == "train" { // a run of few steps would be its beginning and end
		budget = max(budget, 1)
	}
	if q.Op == "sample" {
		q.N, q.Limit = q.Batch, min(2, q.Steps)
	}
	for {
		a, err := p.ask(q)
		if err != nil {
			return q, 0, fmt.Errorf("%s: %w", q.Op, err)
		}
		s := max(basis(a, q.Threads), 1e-4)
		if s > budget/3 {
			return q, a.Count / s, nil
		}
		q = q.grown(min(budget/s, 50))
	}
}

// grown returns q with so many times the work: more of the steps, then more paths.
func (q ask) grown(factor float64) ask {
	if q.Op != "sample" || q.Limit >= q.Steps {
		q.N = int(float64(q.N)*factor) + 1
		return q
	}
	limit := float64(q.Limit) * factor
	if limit > float64(q.Steps) {
		q.N, limit = q.Batch*(int(limit)/q.Steps), float64(q.Steps)
	}
	q.Limit = max(int(limit), q.Limit+1)
	return q
}
