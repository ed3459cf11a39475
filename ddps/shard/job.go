package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Job is what decides the bytes of a run's result.
type Job struct {
	Program  string            `json:"program"`            // version of the program
	Command  string            `json:"command"`            // what it does
	Settings map[string]string `json:"settings,omitempty"` // by name
	Inputs   map[string]string `json:"inputs,omitempty"`   // name → Hash of the content
}

// Key returns the job's name: 32 hexadecimal digits of the SHA-256 of its JSON, whose keys are sorted.
func (j Job) Key() string {
	text, err := json.Marshal(j)
	if err != nil {
		panic("shard: job: " + err.Error()) // strings alone: cannot be
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Hash returns the SHA-256 of all that write writes, in hexadecimal digits.
func Hash(write func(io.Writer) error) (string, error) {
	h := sha256.New()
	if err := write(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Differences says in words how o differs from j, nothing if it does not.
func (j Job) Differences(o Job) (list []string) {
	say := func(what, a, b string) {
		if a != b {
			list = append(list, fmt.Sprintf("%s: %s, %s", what, orNone(a), orNone(b)))
		}
	}
	say("program version", j.Program, o.Program)
	say("command", j.Command, o.Command)
	for _, m := range []struct {
		what string
		a, b map[string]string
	}{{"setting ", j.Settings, o.Settings}, {"content of ", j.Inputs, o.Inputs}} {
		names := slices.Sorted(maps.Keys(m.a))
		for k := range m.b {
			if _, ok := m.a[k]; !ok {
				names = append(names, k)
			}
		}
		slices.Sort(names)
		for _, k := range names {
			say(m.what+k, m.a[k], m.b[k])
		}
	}
	return list
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
