// Package submit writes what a cluster's scheduler takes for a job of n shards: a SLURM array script, or a Kubernetes
// Indexed Job. No scheduler is called, and no secret is written.
package submit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MaxIndices is the most indices of an array: SLURM's MaxArraySize is 1,001 where it is not changed. Where there are
// more shards each index does several.
const MaxIndices = 1000

// Job is a command of n shards.
type Job struct {
	Name     string   // of the job: letters, digits and -
	Command  []string // program and arguments, without --shard
	Shards   int      // n ≥ 1
	Throttle int      // indices at a time; 0: as many as there is room for
	Hours    int      // limit of an index in SLURM; 0: the cluster's
	CPUs     int      // of an index, ≥ 1
	Memory   int      // of an index in GiB, ≥ 1
	Image    string   // Kubernetes: container image
	Claim    string   // Kubernetes: name of a PersistentVolumeClaim mounted at /data; "" for none
}

// Indices returns the number of indices.
func (j Job) Indices() int { return min(j.Shards, MaxIndices) }

// check refuses what no script can be made of.
func (j Job) check() error {
	switch {
	case j.Shards < 1:
		return fmt.Errorf("submit: %d shards", j.Shards)
	case len(j.Command) == 0:
		return errors.New("submit: the command is missing")
	case j.CPUs < 1 || j.Memory < 1 || j.Throttle < 0 || j.Hours < 0:
		return errors.New("submit: CPUs and memory must be at least 1, throttle and hours at least 0")
	case j.Name == "" || len(j.Name) > 52 || strings.Trim(j.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
		strings.Trim(j.Name, "-") != j.Name:
		return fmt.Errorf("submit: name %q: expected up to 52 small letters, digits and -", j.Name)
	}
	return nil
}

// Quote quotes words for a POSIX shell.
func Quote(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		if list[i] = w; w == "" || strings.Trim(w,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+") != "" {
			list[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(list, " ")
}

// loop is the shell text of index $index, from 0: its shards, each of which is skipped by the program if it is done.
func (j Job) loop() string {
	return fmt.Sprintf("status=0\nshard=$((index + 1))\nwhile [ \"$shard\" -le %d ]; do\n\t%s --shard \"$shard/%d\" || "+
		"status=1\n\tshard=$((shard + %d))\ndone\nexit \"$status\"\n",
		j.Shards, Quote(j.Command), j.Shards, j.Indices())
}

// SLURM returns a script for sbatch.
func SLURM(j Job) (string, error) {
	if err := j.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	array := fmt.Sprintf("0-%d", j.Indices()-1)
	if j.Throttle > 0 {
		array += fmt.Sprintf("%%%d", j.Throttle)
	}
	line("#!/bin/sh")
	line("#SBATCH --job-name=%s", j.Name)
	line("#SBATCH --array=%s", array)
	line("#SBATCH --cpus-per-task=%d", j.CPUs)
	line("#SBATCH --mem=%dG", j.Memory)
	if j.Hours > 0 {
		line("#SBATCH --time=%d:00:00", j.Hours)
	}
	line("#SBATCH --requeue")
	line("#SBATCH --output=%s-%%A-%%a.log", j.Name)
	line("# submit with sbatch; a shard that is done is skipped, so that the same script may be submitted again")
	line("# shellcheck disable=SC2016 # arguments in single quotes are meant as they stand")
	line("set -u")
	line("index=$SLURM_ARRAY_TASK_ID")
	b.WriteString(j.loop())
	return b.String(), nil
}

// Kubernetes returns the YAML of an Indexed Job of batch/v1.
func Kubernetes(j Job) (string, error) {
	if err := j.check(); err != nil {
		return "", err
	}
	if j.Image == "" {
		return "", errors.New("submit: a container image is needed")
	}
	throttle := j.Throttle
	if throttle == 0 {
		throttle = j.Indices()
	}
	quote := func(s string) string { // a JSON string is a YAML string
		text, err := json.Marshal(s)
		if err != nil {
			panic("submit: " + err.Error()) // of a string: cannot be
		}
		return string(text)
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("apiVersion: batch/v1")
	line("kind: Job")
	line("metadata:")
	line("  name: %s", quote(j.Name))
	line("spec:")
	line("  completionMode: Indexed")
	line("  completions: %d", j.Indices())
	line("  parallelism: %d", throttle)
	line("  backoffLimitPerIndex: 3")
	line("  template:")
	line("    spec:")
	line("      restartPolicy: Never")
	line("      containers:")
	line("        - name: ddps")
	line("          image: %s", quote(j.Image))
	line("          command: [\"/bin/sh\", \"-c\"]")
	line("          args:")
	line("            - %s", quote("set -u\nindex=$JOB_COMPLETION_INDEX\n"+j.loop()))
	line("          resources:")
	line("            requests: {cpu: \"%d\", memory: \"%dGi\"}", j.CPUs, j.Memory)
	line("            limits: {memory: \"%dGi\"}", j.Memory)
	if j.Claim != "" {
		line("          volumeMounts:")
		line("            - {name: data, mountPath: /data}")
		line("      volumes:")
		line("        - name: data")
		line("          persistentVolumeClaim: {claimName: %s}", quote(j.Claim))
	}
	return b.String(), nil
}
