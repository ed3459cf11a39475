package main

import (
	"flag"
	"strings"
	"testing"
)

// A flag out of its range, one that has nothing to do, and a word that is no flag are an error each.
func TestCheck(t *testing.T) {
	for line, want := range map[string]string{
		"--do paths --out o":                   "",
		"--do paths --out o --test .1":         "",
		"--do sample --out o --n 3":            "",
		"--do paths":                           "--out is missing",
		"--do nothing --out o":                 `--do "nothing" is none of`,
		"--do paths --out o x --parts 3":       `"x" is no flag`,
		"--do paths --out o --test NaN":        "--test NaN: expected 0 or more and less than 1",
		"--do paths --out o --test 1":          "--test 1",
		"--do paths --out o --test -.1":        "--test -0.1",
		"--do paths --out o --parts 0":         "--parts 0: expected 1 or more",
		"--do paths --out o --block -1":        "--block -1",
		"--do paths --out o --n 7":             "--n is not for --do paths",
		"--do sample --out o --n 3 --files x":  "--files is not for --do sample",
		"--do sample --out o":                  "--n 0: expected 1 or more",
		"--do sample --out o --n 3 --steps -1": "--steps -1",
		"--do fit --out o --kappa NaN":         "--kappa NaN",
		"--do fit --out o --kappa Inf":         "--kappa +Inf",
		"--do fit --out o --chains 3":          "--chains 3: expected 1 or 2",
		"--do fit --out o --shards 0":          "--shards 0",
		"--do fit --out o --tries 0":           "--tries 0",
	} {
		var o options
		set := flag.NewFlagSet("test", flag.ContinueOnError)
		o.flags(set)
		err := set.Parse(strings.Fields(line))
		if err == nil {
			err = o.check(set)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", line, err, want)
		}
	}
}
