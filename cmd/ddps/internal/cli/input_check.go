package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Marks of flags and commands: what is written, what is read.
const (
	outputMark = "ddps_output"
	inputMark  = "ddps_input"
)

// Outputs marks flags as names of files that are written; FileFlag alone means files that are read.
func Outputs(cmd *cobra.Command, flags ...string) { mark(cmd, outputMark, flags) }

// Inputs marks flags as names of files that are read, which need not be files.
func Inputs(cmd *cobra.Command, flags ...string) { mark(cmd, inputMark, flags) }

func mark(cmd *cobra.Command, as string, flags []string) {
	for _, name := range flags {
		if err := cmd.Flags().SetAnnotation(name, as, []string{"yes"}); err != nil {
			panic("ddps: --" + name + ": " + err.Error())
		}
	}
}

// LastIsOutput marks the last argument of a command, of two or more, as a file that is written.
func LastIsOutput(cmd *cobra.Command) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[outputMark] = "last"
}

// IsOutput reports whether a flag names a file that is written.
func IsOutput(f *pflag.Flag) bool { return f.Name == "output" || f.Annotations[outputMark] != nil }

// IsInput reports whether a flag names a file that is read.
func IsInput(f *pflag.Flag) bool {
	_, file := f.Annotations[cobra.BashCompFilenameExt]
	return !IsOutput(f) && (file || f.Annotations[inputMark] != nil)
}

// named is a file of a command line, and what it is there.
type named struct{ what, path string }

func (n named) String() string { return n.what + " " + n.path }

// CheckInputs refuses a command line with an output that is one of its inputs, by whatever name: writing it would
// destroy what was read. So it does with the files of a run directory, or of a directory of tables, that is an input.
func CheckInputs(cmd *cobra.Command, args []string) error {
	in, out := filesOf(cmd, args)
	for _, o := range out {
		if o.path == "" || o.path == "-" {
			continue
		}
		info, err := os.Stat(o.path)
		if err == nil && !info.Mode().IsRegular() {
			continue // a directory that is gone on with, or a device
		}
		for _, i := range in {
			switch {
			case info != nil && sameFile(i.path, info):
				return Usagef("%s is the file of %s, which would be overwritten: name another output", o, i)
			case keeps(i.path, o.path):
				return Usagef("%s is a file of the directory of %s, which reads it: name another output", o, i)
			}
		}
	}
	return nil
}

// filesOf lists the files of a command line.
func filesOf(cmd *cobra.Command, args []string) (in, out []named) {
	for k, path := range args {
		if n := (named{"argument", path}); k > 0 && k == len(args)-1 && cmd.Annotations[outputMark] != "" {
			out = append(out, n)
		} else {
			in = append(in, n)
		}
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, text := range valuesOf(f) {
			switch n := (named{"--" + f.Name, text}); {
			case f.Name == "where" || f.Name == "given":
				for _, path := range conditionFiles(text) {
					in = append(in, named{n.what, path})
				}
			case IsOutput(f):
				out = append(out, n)
			case IsInput(f):
				in = append(in, n)
			}
		}
	})
	return in, out
}

// valuesOf returns the values of a flag.
func valuesOf(f *pflag.Flag) []string {
	if list, many := f.Value.(pflag.SliceValue); many {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// conditionFile is file("names.txt") of a condition.
var conditionFile = regexp.MustCompile(`\bfile\s*\(\s*("(?:[^"\\]|\\.)*"|'[^']*')`)

// conditionFiles returns the files that a condition reads names from.
func conditionFiles(text string) (list []string) {
	for _, m := range conditionFile.FindAllStringSubmatch(text, -1) {
		path, err := strconv.Unquote(m[1])
		if err != nil {
			path = m[1][1 : len(m[1])-1]
		}
		list = append(list, path)
	}
	return list
}

// sameFile reports whether an input is a file, by whatever name; - is standard input.
func sameFile(input string, file fs.FileInfo) bool {
	info, err := os.Stat(input)
	if input == "-" {
		info, err = os.Stdin.Stat()
	}
	return err == nil && os.SameFile(info, file)
}

// runFiles are the files of a run directory (package run), beside those of its directories.
var runFiles = []string{"config.toml", "graph.json", "paths.csv", "versions.json", "log.jsonl", "model.safetensors",
	".lock", "SHA256SUMS"}

// keeps reports whether an input is a directory that reads a file of this name, which need not be there: a run's, a
// table of a feed, a shard of a store. Other files may lie in it.
func keeps(dir, path string) bool {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	at, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
		at = filepath.Join(real, filepath.Base(at))
	}
	name := filepath.Base(at)
	for up := filepath.Dir(at); ; up = filepath.Dir(up) {
		if d, err := os.Stat(up); err == nil && os.SameFile(d, info) {
			below := up != filepath.Dir(at)
			if _, err := os.Stat(filepath.Join(dir, runFiles[0])); err == nil {
				return below || slices.Contains(runFiles, name)
			}
			end := strings.ToLower(filepath.Ext(name))
			return end == ".txt" || end == ".shard"
		}
		if up == filepath.Dir(up) {
			return false
		}
	}
}
