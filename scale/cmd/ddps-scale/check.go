package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// uses are the flags that each --do has beside those of all and those of Beam.
var uses = map[string]string{
	"paths":    "graph files format write test seed parts block",
	"fit":      "graph files format order shards parts block model classes kappa chains seed",
	"evaluate": "graph files sample-files format parts block",
	"sample":   "model n seed steps shards write",
	"study":    "command points",
}

// check returns an error for a flag out of its range, one that --do does not use, and words that are no flags. set: the
// flags that were given.
func (o *options) check(set *flag.FlagSet) error {
	if set.NArg() > 0 {
		return fmt.Errorf("%q is no flag", set.Arg(0))
	}
	if o.out == "" {
		return errors.New("--out is missing")
	}
	if uses[o.do] == "" {
		return fmt.Errorf("--do %q is none of paths, fit, evaluate, sample, study", o.do)
	}
	own := strings.Fields(strings.Join(slices.Collect(maps.Values(uses)), " "))
	var err error
	set.Visit(func(f *flag.Flag) {
		if slices.Contains(own, f.Name) && !slices.Contains(strings.Fields(uses[o.do]), f.Name) && err == nil {
			err = fmt.Errorf("--%s is not for --do %s", f.Name, o.do)
		}
	})
	for _, c := range []struct {
		ok   bool
		name string
		is   any
		want string
	}{
		{o.split >= 0 && o.split < 1, "test", o.split, "0 or more and less than 1"},
		{o.order >= 0, "order", o.order, "0 or more"},
		{o.shards >= 1, "shards", o.shards, "1 or more"},
		{o.parts >= 1, "parts", o.parts, "1 or more"},
		{o.block >= 1, "block", o.block, "1 or more"},
		{o.em.Classes >= 0, "classes", o.em.Classes, "0 or more"},
		{o.em.Kappa >= 0 && !math.IsInf(o.em.Kappa, 0), "kappa", o.em.Kappa, "a finite number of 0 or more"},
		{o.em.Order == 1 || o.em.Order == 2, "chains", o.em.Order, "1 or 2"},
		{o.sample.Steps >= 0, "steps", o.sample.Steps, "0 or more"},
		{o.do != "sample" || o.sample.N >= 1, "n", o.sample.N, "1 or more"},
		{o.tries >= 1, "tries", o.tries, "1 or more"},
	} {
		if !c.ok && err == nil {
			err = fmt.Errorf("--%s %v: expected %s", c.name, c.is, c.want)
		}
	}
	return err
}
