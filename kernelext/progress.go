package kernelext

import (
	"fmt"
	"html"
	"strings"
	"sync"
	"time"
)

// pace is the shortest time between two sights of a progress bar.
const pace = 100 * time.Millisecond

// Progress is a progress bar that replaces itself. Safe for concurrent use.
type Progress struct {
	mu     sync.Mutex
	place  *Place
	name   string
	total  int
	done   int
	detail string
	begin  time.Time
	last   time.Time
	ended  bool
}

// NewProgress returns a bar on out for total units of work, which is shown at the first Set. total may be 0 where it
// is not known.
func NewProgress(out Output, name string, total int) *Progress {
	return NewProgressAt(NewPlace(out), name, total)
}

// Set shows that done units are done. detail is any text beside the bar. What comes too fast to be seen is left out,
// but for the last unit.
func (p *Progress) Set(done int, detail string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.detail = done, detail
	if p.ended || time.Since(p.last) < pace && done != p.total {
		return
	}
	p.last = time.Now()
	p.place.Show(p)
}

// End shows the bar a last time.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended && !p.last.IsZero() {
		p.ended = true
		p.place.Show(p)
	}
}

// Bundle returns the bar as text and HTML. It is for Show, which holds the lock.
func (p *Progress) Bundle() map[string]any {
	const cells = 24
	took := time.Since(p.begin).Round(100 * time.Millisecond)
	text, bar := fmt.Sprintf("%s %d", p.name, p.done), "<progress></progress>"
	if p.total > 0 {
		full := min(cells, cells*p.done/p.total)
		text = fmt.Sprintf("%s %s%s %d/%d", p.name, strings.Repeat("█", full), strings.Repeat("░", cells-full), p.done, p.total)
		bar = fmt.Sprintf(`<progress value="%d" max="%d"></progress>`, p.done, p.total)
	}
	note := took.String()
	if p.detail != "" {
		note = p.detail + ", " + note
	}
	return map[string]any{MIMEText: text + " " + note, MIMEHTML: fmt.Sprintf("<div>%s %s %d/%d %s</div>", html.EscapeString(p.name), bar, p.done, p.total, html.EscapeString(note))}
}

// NewProgressAt is NewProgress in a place that may show something else afterwards.
func NewProgressAt(p *Place, name string, total int) *Progress {
	return &Progress{place: p, name: name, total: total, begin: time.Now()}
}
