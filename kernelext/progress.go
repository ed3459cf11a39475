package kernelext

import (
	"fmt"
	"html"
	"strconv"
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
	count, line, bar := whole(p.done), "", "<progress></progress>"
	if p.total > 0 {
		count += " of " + whole(p.total)
		full := max(0, min(cells, cells*p.done/p.total))
		line = strings.Repeat("█", full) + strings.Repeat("░", cells-full) + " "
		bar = fmt.Sprintf(`<progress value="%d" max="%d" style="width: 16em"></progress>`, p.done, p.total)
	}
	note := count + ", " + seconds(time.Since(p.begin))
	if p.detail != "" {
		note = count + ", " + p.detail + ", " + seconds(time.Since(p.begin))
	}
	return map[string]any{MIMEText: fmt.Sprintf("%s %s%s", p.name, line, note),
		MIMEHTML: fmt.Sprintf("<div>%s %s %s</div>", html.EscapeString(p.name), bar, html.EscapeString(note))}
}

// whole writes a number with a comma before each three digits.
func whole(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// seconds writes a length of time: 4.2 s, 12 min 5 s.
func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// NewProgressAt is NewProgress in a place that may show something else afterwards.
func NewProgressAt(p *Place, name string, total int) *Progress {
	return &Progress{place: p, name: name, total: total, begin: time.Now()}
}
