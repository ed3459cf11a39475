//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// killable is work of several commands, one after the other, which leaves files in a directory.
type killable struct {
	commands func(dir string) [][]string
	resumed  bool     // by train --resume, once the directory is a run's
	files    []string // to have the same bytes
}

// killables are training, sampling, a study, and shards that are merged.
func killables() map[string]killable {
	shards := func(dir string) (list [][]string) {
		for k := range 3 {
			list = append(list, []string{"sample", "shipped:toy", "-q", "-n", "9000", "--seed", "3", "--shard",
				fmt.Sprintf("%d/3", k+1), "-o", filepath.Join(dir, "store")})
		}
		return append(list, []string{"merge", filepath.Join(dir, "store"), "-q", "-o", filepath.Join(dir, "merged.csv")})
	}
	one := func(args ...string) func(string) [][]string {
		return func(dir string) [][]string { return [][]string{append(args, filepath.Join(dir, "out"))} }
	}
	return map[string]killable{
		"train": {one("train", "-q", "--graph", "example", "--paths", "paths.csv", "--config", "tiny.toml", "--steps", "600",
			"-o"), true, []string{"out/model.safetensors", "out/log.jsonl", "out/config.toml", "out/graph.json",
			"out/paths.csv"}},
		"sample": {one("sample", "shipped:toy", "-q", "-n", "20000", "--seed", "3", "--format", "csv", "-o"), false,
			[]string{"out"}},
		"reproduce": {one("reproduce", "fig:scores", "--graph", "toy", "--network", "none", "-n", "4", "--instances", "1",
			"-S", "2", "--lambda", "0,100", "-q", "-o"), false, []string{"out/cells.csv", "out/cells.csv.sha256",
			"out/rewards.csv", "out/rewards.csv.sha256", "out/fig6-toy-chain-algorithm2.png"}},
		"merge": {shards, false, []string{"merged.csv"}},
	}
}

// through runs the work to its end, and kills it on the way. It returns how often.
func (k killable) through(t *testing.T, rng *rand.Rand, dir string, took []time.Duration) (kills int) {
	for c, args := range k.commands(dir) {
		for !killed(t, rng, took[c]+took[c]/2, args...) { // until one is not
			kills++
			if _, err := os.Stat(filepath.Join(dir, "out", "config.toml")); err == nil && k.resumed {
				args = []string{"train", "-q", "--resume", "-o", filepath.Join(dir, "out")}
			}
		}
	}
	return kills
}

// Kills at random points of training, sampling, studies and merging leave the same bytes: what is there is whole, what
// is missing is made by the same commands, and no temporary file stays. DDPS_TEST_KILLS=200 kills more often.
func TestKills(t *testing.T) {
	trainable(t)
	rng, n, all := rand.New(rand.NewPCG(21, 0)), killsAsked(t), killables()
	for what, k := range all {
		whole := what + "-whole"
		if err := os.Mkdir(whole, 0o755); err != nil {
			t.Fatal(err)
		}
		var took []time.Duration
		for _, args := range k.commands(whole) {
			began := time.Now()
			if p := start(t, args...); p.status(t) != exitOK {
				t.Fatalf("%q: %s", args, p.errs.String())
			}
			took = append(took, time.Since(began))
		}
		kills := 0
		for round := 0; kills < (n+len(all)-1)/len(all); round++ {
			dir := fmt.Sprintf("%s-%d", what, round)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			kills += k.through(t, rng, dir, took)
			for _, name := range k.files {
				if clitest.Read(t, filepath.Join(dir, name)) != clitest.Read(t, filepath.Join(whole, name)) {
					t.Errorf("%s: %s has other bytes after kills", dir, name)
				}
			}
			temporary(t, dir)
		}
		t.Logf("%s: %d kills", what, kills)
	}
}

// temporary fails the test if a directory or one in it holds a temporary file.
func temporary(t *testing.T, dir string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(path, ".ddps-") {
			t.Errorf("left %s", path)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}
