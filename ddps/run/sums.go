package run

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/digest"
)

// sumsFile is the list of the SHA-256 sums of a run's files.
const sumsFile = "SHA256SUMS"

// fixed are the files that a run has from its beginning; all but the configuration never change.
var fixed = [...]string{configFile, graphFile, pathsFile, versionsFile}

// listed returns the sums of a run directory as they are now, nil where it is older than they are.
func listed(dir string) (digest.Sums, error) {
	sums, err := digest.Read(filepath.Join(dir, sumsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	return sums, nil
}

// WarnUnsummed warns if the directory has no list of sums, which Model does too.
func (r *Run) WarnUnsummed() {
	if !exists(filepath.Join(r.Dir, sumsFile)) {
		r.warn(r.Dir + " has no " + sumsFile + ", so changed files are not found; 'ddps train --resume' adds it")
	}
}

// warnGone warns if a file has a sum and is not there. name may be empty.
func (r *Run) warnGone(name string) {
	if sums, err := listed(r.Dir); err == nil && len(sums[name]) > 0 && !exists(filepath.Join(r.Dir,
		filepath.FromSlash(name))) {
		r.warn(filepath.Join(r.Dir, filepath.FromSlash(name)) + " is missing, though " + sumsFile + " lists it")
	}
}

// warnLog warns if the log has a sum and is not as it was written: the model does not need it.
func (r *Run) warnLog() {
	if sums, err := listed(r.Dir); err == nil && len(sums[logFile]) > 0 {
		if err = sums.Check(r.Dir, logFile); errors.Is(err, digest.ErrChanged) {
			r.warn(err.Error() + "; the model does not depend on it, but 'ddps train --resume' refuses it")
		}
	}
}

// newestListed returns the newest checkpoint in the list of sums, with its directory; "" for none.
func (r *Run) newestListed() (name string) {
	sums, err := listed(r.Dir)
	if err != nil {
		return ""
	}
	for n := range sums {
		if strings.HasPrefix(n, checkpointDir+"/") && cmp.Or(len(n)-len(name), strings.Compare(n, name)) > 0 { // by number
			name = n
		}
	}
	return name
}

// checkFixed checks the files that a run has from its beginning. The error names the one that was changed.
func checkFixed(dir string) error {
	sums, err := listed(dir)
	if sums == nil {
		return err
	}
	for _, name := range fixed {
		if name == versionsFile && len(sums[name]) == 0 && !exists(filepath.Join(dir, name)) {
			continue // of a directory that had none when it got its sums
		}
		if err := sums.Check(dir, name); err != nil {
			return errChanged(err)
		}
	}
	return nil
}

// errChanged adds what to do to an error of digest.Sums.Check.
func errChanged(err error) error {
	if errors.Is(err, digest.ErrChanged) {
		return fmt.Errorf("run: %w; restore it, or delete %s if that is meant", err, sumsFile)
	}
	return fmt.Errorf("run: %w", err)
}

// check reports whether a file is as it was written; of a directory without sums it knows nothing.
func (r *Run) check(name string) error {
	sums, err := listed(r.Dir)
	if sums == nil {
		return err
	}
	if name == logFile && len(sums[name]) == 0 { // a log that grows has none
		if exists(filepath.Join(r.Dir, modelFile)) {
			r.warn(filepath.Join(r.Dir, logFile) + " has no SHA-256 sum in " + sumsFile +
				", though there is a model: changed lines are not found")
		}
		return nil
	}
	if err := sums.Check(r.Dir, name); err != nil {
		return errChanged(err)
	}
	return nil
}

// newSums returns the list of the sums of a new run's files.
func (r *Run) newSums(files []content) content {
	r.sums = digest.Sums{}
	var text strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		r.sums[f.name] = []string{hex.EncodeToString(sum[:])}
	}
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&text, "%s  %s\n", r.sums[name][0], name)
	}
	return content{sumsFile, []byte(text.String())}
}

// oursSums reports whether a list of sums is one that a Create that was killed left.
func oursSums(text []byte) bool { return bytes.Contains(text, []byte("  "+graphFile+"\n")) }

// adopt reads the sums, and makes those of a directory that is older than they are. It must be locked.
func (r *Run) adopt() (err error) {
	if r.sums, err = listed(r.Dir); err != nil || r.sums != nil {
		return err
	}
	r.warn(r.Dir + " has no " + sumsFile + ": it gets that of its files as they are")
	sums, names := digest.Sums{}, fixed[:]
	for _, path := range r.checkpoints() {
		names = append(names, checkpointDir+"/"+filepath.Base(path))
	}
	for _, name := range append(names, modelFile) {
		sum, err := digest.File(filepath.Join(r.Dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) && !slices.Contains(fixed[:3], name) {
			continue
		}
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		sums[name] = []string{sum}
	}
	r.sums = sums
	return r.keepSums()
}

// keepSums writes the list of sums, without those of checkpoints that are gone.
func (r *Run) keepSums() error {
	r.dropSums()
	if err := r.sums.Write(filepath.Join(r.Dir, sumsFile)); err != nil {
		return fmt.Errorf("run: run directory: %w", err)
	}
	return nil
}

// dropSums forgets the sums of checkpoints that are gone.
func (r *Run) dropSums() {
	for name := range r.sums {
		if strings.HasPrefix(name, checkpointDir+"/") && !exists(filepath.Join(r.Dir, filepath.FromSlash(name))) {
			delete(r.sums, name)
		}
	}
}

// write writes a file of the directory, whole or not at all, and its sum.
func (r *Run) write(name string, write func(io.Writer) error) error {
	r.dropSums()
	if err := r.sums.Replace(r.Dir, name, sumsFile, write); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Join(r.Dir, filepath.FromSlash(name)), err)
	}
	return nil
}

// seal keeps the sum of a file that was written line by line, if it is there.
func (r *Run) seal(name string) error {
	sum, err := digest.File(filepath.Join(r.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if slices.Equal(r.sums[name], []string{sum}) {
		return nil
	}
	r.sums[name] = []string{sum}
	return r.keepSums()
}

// unseal checks a file that is to be written line by line, and forgets its sum.
func (r *Run) unseal(name string) error {
	if len(r.sums[name]) == 0 {
		return nil
	}
	if exists(filepath.Join(r.Dir, name)) {
		if err := r.check(name); err != nil {
			return err
		}
	}
	delete(r.sums, name)
	return r.keepSums()
}
