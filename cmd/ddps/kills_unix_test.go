//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// killsAsked is the number of kills that DDPS_TEST_KILLS asks for, or else a few.
func killsAsked(t *testing.T) int {
	t.Helper()
	text, ok := os.LookupEnv("DDPS_TEST_KILLS")
	if !ok {
		return 4
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// killed runs a command and kills it with SIGKILL after at most so long. It reports whether the command had ended
// before.
func killed(t *testing.T, rng *rand.Rand, within time.Duration, args ...string) bool {
	t.Helper()
	p := start(t, args...)
	time.Sleep(time.Duration(rng.Int64N(int64(within))))
	p.Process.Kill()
	return p.status(t) == exitOK
}

// Kills at random points of training and sampling leave the same bytes: what is there is
// whole, what is missing is made by the same command, and no temporary file stays. DDPS_TEST_KILLS=200 kills more
// often.
func TestKills(t *testing.T) {
	trainable(t)
	const steps = 600
	train := func(dir string) []string {
		return []string{"train", "-q", "--graph", "example", "--paths", "paths.csv", "--config", "tiny.toml", "--steps",
			fmt.Sprint(steps), "-o", dir}
	}
	sample := func(file string) []string {
		return []string{"sample", "shipped:toy", "-q", "-n", "20000", "--seed", "3", "-o", file}
	}
	took := func(args []string) time.Duration {
		began := time.Now()
		if p := start(t, args...); p.status(t) != exitOK {
			t.Fatalf("%q: %s", args, p.errs.String())
		}
		return time.Since(began)
	}
	limits := []time.Duration{took(train("whole")), took(sample("whole.csv"))}
	rng, n, kills := rand.New(rand.NewPCG(21, 0)), killsAsked(t), 0
	for round := 0; kills < n; round++ {
		run, file := fmt.Sprintf("run%d", round), fmt.Sprintf("%d.csv", round)
		for done, args := false, train(run); !done; kills++ { // until a process is not killed
			done = killed(t, rng, limits[0]+limits[0]/2, args...)
			if _, err := os.Stat(filepath.Join(run, "config.toml")); err == nil {
				args = []string{"train", "-q", "--resume", "-o", run}
			}
		}
		sameRun(t, run, "whole")
		for done := false; !done; kills++ {
			done = killed(t, rng, limits[1]+limits[1]/2, sample(file)...)
			if text, err := os.ReadFile(file); done && err != nil || err == nil && string(text) != clitest.Read(t, "whole.csv") {
				t.Fatalf("%s: other samples, %v", file, err)
			}
		}
	}
	for _, pattern := range []string{".*.ddps-*", "*/.*.ddps-*", "*/*/.*.ddps-*"} {
		if left, err := filepath.Glob(pattern); err != nil || len(left) > 0 {
			t.Errorf("left %q, %v", left, err)
		}
	}
	t.Logf("%d kills", kills)
}
