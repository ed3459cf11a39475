package kernelcmd

import (
	"testing"
	"time"
)

func TestArtefactArguments(t *testing.T) {
	for s, want := range map[string]time.Duration{"30d": 720 * time.Hour, "1.5d": 36 * time.Hour, "0": 0,
		"90m": 90 * time.Minute, "x": -1, "-1d": -1, "": -1, "1e9d": -1} {
		if d, err := parseAge(s); (err == nil) != (want >= 0) || err == nil && d != want {
			t.Errorf("%q: %v, %v", s, d, err)
		}
	}
	for s, want := range map[string]int64{"0": 0, "12": 12, "1.5kB": 1500, "2 GiB": 2 << 30, "5MiB": 5 << 20, "1e3": -1,
		"-1": -1, "": -1, "3 stones": -1, "9999999TB": -1} {
		if n, err := parseSize(s); (err == nil) != (want >= 0) || err == nil && n != want {
			t.Errorf("%q: %v, %v", s, n, err)
		}
	}
}
