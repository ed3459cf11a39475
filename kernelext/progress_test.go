package kernelext

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A bar replaces itself, shows its last unit however fast it comes, and ends once.
func TestProgress(t *testing.T) {
	p := newPage()
	bar := NewProgress(p, "a <b>", 2000)
	for i := range 2001 {
		bar.Set(i, "detail")
	}
	bar.End()
	bar.End()
	bar.Set(5, "after the end")
	if len(p.shown) < 3 || len(p.shown) > 100 || strings.HasPrefix(p.shown[0], "=") || !strings.HasPrefix(p.shown[1],
		"=") {
		t.Errorf("%d sights: %q", len(p.shown), p.shown)
	}
	for i, want := range map[int]string{0: "a <b> ░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 2,000, detail, ",
		len(p.shown) - 1: "=a <b> ████████████████████████ 2,000 of 2,000, detail, "} {
		if !strings.HasPrefix(p.shown[i], want) {
			t.Errorf("%q, not %q", p.shown[i], want)
		}
	}
	b := bar.Bundle()
	if text := fmt.Sprint(b[MIMEHTML]); !strings.HasPrefix(text, `<div>a &lt;b&gt; <progress value="5" max="2000"`) {
		t.Error(text)
	}
	open := NewProgress(p, "n", 0)
	open.Set(1234567, "")
	if text := p.shown[len(p.shown)-1]; !strings.HasPrefix(text, "n 1,234,567, 0.") {
		t.Errorf("%q", text)
	}
	unseen := NewProgress(p, "unseen", 3)
	n := len(p.shown)
	if unseen.End(); len(p.shown) != n {
		t.Error("a bar that was never set is shown")
	}
	for d, want := range map[time.Duration]string{0: "0.0 s", 4240 * time.Millisecond: "4.2 s",
		61 * time.Second: "1 min 1 s", time.Hour: "60 min 0 s"} {
		if got := seconds(d); got != want {
			t.Errorf("%v: %q", d, got)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", -1000: "-1,000", 1000000: "1,000,000", -100: "-100"} {
		if got := whole(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
