package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// clock is a time that tests turn.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	a := &App{Stderr: &out}
	c := &clock{time.Unix(0, 0)}
	p := a.NewProgress("train", 0, 1000)
	p.now, p.start, p.last = c.now, c.t, c.t
	for n := 1; n <= 1000; n++ {
		c.t = c.t.Add(100 * time.Millisecond)
		p.Set(n, "loss 8.1")
	}
	p.Logf("checkpoint %d", 3)
	p.Done()
	p.Done() // twice does nothing
	p.Set(5, "")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 11 {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	if want := "train: 100/1,000 (10%), 10.0/s, 1 m 30 s left, loss 8.1"; lines[0] != want {
		t.Errorf("%q, want %q", lines[0], want)
	}
	if want := "train: 1,000/1,000 (100%), 10.0/s, took 1 m 40 s, loss 8.1"; lines[9] != want ||
		lines[10] != "checkpoint 3" {
		t.Errorf("%q, want %q", lines[9:], want)
	}
}

// Slow work shows a line every 30 s, quick work one a second at most.
func TestProgressPace(t *testing.T) {
	for _, k := range []struct {
		step time.Duration
		want int
	}{{20 * time.Second, 5}, {time.Millisecond, 1}} {
		var out bytes.Buffer
		c := &clock{time.Unix(0, 0)}
		p := (&App{Stderr: &out}).NewProgress("x", 0, 1000)
		p.now, p.start, p.last = c.now, c.t, c.t
		for n := range 8 {
			c.t = c.t.Add(k.step)
			p.Set(n+1, "")
		}
		p.Done()
		if got := strings.Count(out.String(), "\n"); got != k.want {
			t.Errorf("a step in %v: %d lines, want %d:\n%s", k.step, got, k.want, out.String())
		}
	}
}

func TestProgressQuietAndResumed(t *testing.T) {
	var out bytes.Buffer
	p := (&App{Stderr: &out, Quiet: true}).NewProgress("x", 0, 10)
	p.Set(10, "")
	p.Logf("note")
	p.Done()
	if out.Len() > 0 {
		t.Errorf("quiet: %q", out.String())
	}
	c := &clock{time.Unix(0, 0)}
	p = (&App{Stderr: &out}).NewProgress("x", 900, 1000)
	p.now, p.start, p.last = c.now, c.t, c.t
	c.t = c.t.Add(10 * time.Second)
	p.Set(950, "")
	p.Done()
	if want := "x: 950/1,000 (95%), 5.00/s, 10 s left\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{300 * time.Millisecond: "0.3 s", 51 * time.Second: "51 s",
		125 * time.Second:            "2 m 5 s",
		3*time.Hour + 20*time.Minute: "3 h 20 m"} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
