package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// How often a log line is written where there is no terminal: whichever of the
// two comes first, after at least the last.
const (
	logShare = 0.1
	logEvery = 30 * time.Second
	logLeast = time.Second
)

// Progress shows how far work is: a bar with rate and time left on a terminal,
// now and then a line elsewhere, nothing with --quiet. Safe for several goroutines.
type Progress struct {
	mu     sync.Mutex
	w      io.Writer // nil: quiet
	bar    *progressbar.ProgressBar
	what   string
	total  int
	first  int       // done before, when work is resumed
	n      int       // done
	detail string    // of the last Set
	start  time.Time // of the work
	last   time.Time // line
	lastN  int
	now    func() time.Time
}

// NewProgress starts the progress of total steps of what, of which first are done
// already. End it with Done.
func (a *App) NewProgress(what string, first, total int) *Progress {
	p := &Progress{w: a.Stderr, what: what, total: total, first: first, n: first, lastN: first, now: time.Now}
	if a.Quiet {
		p.w = nil
	}
	p.start = p.now()
	p.last = p.start
	if p.w != nil && isTerminal(a.Stderr) {
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.Stderr), progressbar.OptionShowCount(),
			progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false), // see rate
			progressbar.OptionShowDescriptionAtLineEnd(), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(barWidth), progressbar.OptionUseANSICodes(true), progressbar.OptionClearOnFinish())
		p.bar.Describe(what)
		p.bar.Set(first)
	}
	return p
}

// Set says that n steps are done. detail, which may be "", says what else is
// worth seeing, as the loss.
func (p *Progress) Set(n int, detail string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return
	}
	p.n, p.detail = n, detail
	if p.bar != nil {
		p.bar.Describe(p.fit(p.what + p.rate(p.now())))
		p.bar.Set(min(n, p.total))
		return
	}
	t := p.now()
	due := float64(n-p.lastN) >= logShare*float64(p.total) && t.Sub(p.last) >= logLeast
	if due || t.Sub(p.last) >= logEvery {
		fmt.Fprintln(p.w, p.line(t))
		p.last, p.lastN = t, n
	}
}

// Logf writes a line without breaking the bar.
func (p *Progress) Logf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return
	}
	if p.bar != nil {
		p.bar.Clear()
	}
	fmt.Fprintf(p.w, format+"\n", args...)
}

// Done takes the bar away and writes the last line. Call it on every way out.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return
	}
	if p.bar != nil {
		p.bar.Clear()
		p.bar.Exit()
	}
	if p.lastN < p.total || p.n < p.total || p.total == 0 { // else Set has written it
		fmt.Fprintln(p.w, p.line(p.now()))
	}
	p.w = nil
}

// line is "train: 200/2,000 (10%), 35/s, 51 s left, loss 8.1".
func (p *Progress) line(t time.Time) string {
	s := fmt.Sprintf("%s: %s/%s", p.what, Whole(p.n), Whole(p.total))
	if p.total > 0 {
		s += fmt.Sprintf(" (%d%%)", 100*p.n/p.total)
	}
	return s + p.rate(t)
}

// rate is ", 35/s, 51 s left, loss 8.1", over the steps done since the start (the
// bar's own would count those done before).
func (p *Progress) rate(t time.Time) (s string) {
	gone := t.Sub(p.start)
	if rate := float64(p.n-p.first) / gone.Seconds(); p.n > p.first && gone > 0 {
		s = fmt.Sprintf(", %s/s", Real3(rate))
		if p.n < p.total {
			s += fmt.Sprintf(", %s left", Duration(time.Duration(float64(p.total-p.n)/rate*float64(time.Second))))
		} else {
			s += fmt.Sprintf(", took %s", Duration(gone))
		}
	}
	if p.detail != "" {
		s += ", " + p.detail
	}
	return s
}

// barWidth is the width of the bar, in characters, without what is beside it.
const barWidth = 20

// fit cuts text to what is left of the terminal's line beside the bar.
func (p *Progress) fit(text string) string {
	f, ok := p.w.(*os.File)
	if !ok {
		return text
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return text
	}
	room := max(0, width-barWidth-2*len(fmt.Sprint(p.total))-14)
	if r := []rune(text); len(r) > room {
		return string(r[:room])
	}
	return text
}

// Duration writes a time as people say it: 0.3 s, 51 s, 2 m 5 s, 3 h 20 m.
func Duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d m %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d m", d/time.Hour, d%time.Hour/time.Minute)
}
