package run

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/train"
)

// opens does with a run directory all that reads one.
func opens(dir string) (model []byte, warnings []string, err error) {
	r, err := Open(dir)
	if err != nil {
		return nil, nil, err
	}
	r.Warn = func(s string) { warnings = append(warnings, s) }
	if _, err := r.Log(); err != nil {
		return nil, warnings, err
	}
	m, err := r.Model()
	if err != nil {
		return nil, warnings, err
	}
	var b bytes.Buffer
	return b.Bytes(), warnings, m.Save(&b)
}

// copyRun copies a run directory.
func copyRun(t testing.TB, from string) (to string) {
	t.Helper()
	to = filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// A sum or a file that was deleted is never passed over in silence: there is an error or a warning, whichever it is.
func TestDeletedSums(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "run")
	trained(t, whole, quick(), 0)
	list := bytes.SplitAfter(mustRead(t, filepath.Join(whole, sumsFile)), []byte("\n"))
	list = list[:len(list)-1]
	for i, line := range list {
		_, name, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), "  ")
		if strings.HasPrefix(name, checkpointDir) {
			continue // not read where there is a model
		}
		to := copyRun(t, whole)
		less := bytes.Join(slices.Delete(slices.Clone(list), i, i+1), nil)
		if err := os.WriteFile(filepath.Join(to, sumsFile), less, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, warnings, err := opens(to); err == nil && len(warnings) == 0 {
			t.Errorf("the sum of %s was deleted without a word", name)
		}
		to = copyRun(t, whole)
		if err := os.Remove(filepath.Join(to, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		if _, warnings, err := opens(to); err == nil && len(warnings) == 0 {
			t.Errorf("%s was deleted without a word", name)
		}
	}
	r, _ := reopen(t, whole)
	for _, name := range []string{modelFile, "", sumsFile} { // then the checkpoints are read
		if name = filepath.Join(whole, name); name == whole {
			name = r.checkpoints()[0]
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if _, warnings, err := opens(whole); err != nil || !strings.Contains(strings.Join(warnings, "\n"), name) &&
			filepath.Base(name) != sumsFile || len(warnings) == 0 {
			t.Errorf("%s was deleted: %v, %q", name, err, warnings)
		}
	}
}

// A run directory whose files were changed is never used without a word: whatever file, bit, cut or added end, there is
// an error or a warning that names it. Only the file of the lock holds nothing.
func TestChangedFiles(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "run")
	trained(t, whole, quick(), 0)
	if _, warnings, err := opens(whole); err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	changes := map[string]func([]byte) []byte{
		"a bit": func(b []byte) []byte { b[rng.IntN(len(b))] ^= 1 << rng.IntN(8); return b },
		"a cut": func(b []byte) []byte { return b[:rng.IntN(len(b))] },
		"a line less": func(b []byte) []byte {
			if at := bytes.LastIndexByte(b[:len(b)-1], '\n'); at >= 0 {
				return b[:at+1]
			}
			return b[:len(b)/2]
		},
		"a byte more": func(b []byte) []byte { return append(b, '\n') },
	}
	for _, name := range []string{configFile, graphFile, pathsFile, versionsFile, logFile, modelFile, sumsFile} {
		for what, change := range changes {
			for range 3 {
				dir := copyRun(t, whole)
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, change(mustRead(t, path)), 0o644); err != nil {
					t.Fatal(err)
				}
				_, warnings, err := opens(dir)
				if err == nil && !strings.Contains(strings.Join(warnings, " "), name) || err != nil && name != sumsFile &&
					!strings.Contains(err.Error(), name) {
					t.Errorf("%s in %s: %v, warnings %q", what, name, err, warnings)
				}
			}
		}
	}
}

// FuzzChangedFiles is TestChangedFiles with the fuzzer's changes: some bytes of a file replaced by others.
func FuzzChangedFiles(f *testing.F) {
	whole := filepath.Join(f.TempDir(), "run")
	trained(f, whole, quick(), 0)
	want, _, err := opens(whole)
	if err != nil {
		f.Fatal(err)
	}
	files := []string{configFile, graphFile, pathsFile, versionsFile, logFile, modelFile, sumsFile}
	for k := range files {
		f.Add(uint8(k), uint(10), uint(1), []byte("x"))
		f.Add(uint8(k), uint(1<<30), uint(0), []byte("\n"))
	}
	f.Fuzz(func(t *testing.T, which uint8, at, n uint, by []byte) {
		name := files[int(which)%len(files)]
		dir := copyRun(t, whole)
		path := filepath.Join(dir, name)
		data := mustRead(t, path)
		from := int(min(at, uint(len(data))))
		changed := slices.Concat(data[:from], by, data[from+int(min(n, uint(len(data)-from))):])
		if bytes.Equal(changed, data) {
			return
		}
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		model, warnings, err := opens(dir)
		if name == sumsFile { // a line of a checkpoint that is not read may go
			if err == nil && !bytes.Equal(model, want) {
				t.Errorf("%s: another model", name)
			}
		} else if err == nil && !strings.Contains(strings.Join(warnings, " "), name) || err != nil &&
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, warnings %q", name, err, warnings)
		}
	})
}

// The files of one run do not serve in another on the same graph, and a directory without sums opens with a note, until
// training goes on in it.
func TestOtherRunsFiles(t *testing.T) {
	dir := t.TempDir()
	cfg := quick()
	trained(t, filepath.Join(dir, "a"), cfg, 0)
	cfg.InitSeed++
	cfg.Keep++
	trained(t, filepath.Join(dir, "b"), cfg, 0)
	for _, name := range []string{configFile, logFile, modelFile} {
		to := copyRun(t, filepath.Join(dir, "a"))
		if err := os.RemoveAll(filepath.Join(to, checkpointDir)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), mustRead(t, filepath.Join(dir, "b", name)), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := opens(to)
		runtest.Has(t, name, err, filepath.Join(to, name), "was changed or cut")
	}
	old := filepath.Join(dir, "a")
	if err := os.Remove(filepath.Join(old, sumsFile)); err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := opens(old); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0],
		"has no "+sumsFile) {
		t.Errorf("without sums: %v, %q", err, warnings)
	}
	r, _ := reopen(t, old)
	if _, err := r.Train(context.Background(), true, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := opens(old); err != nil || len(warnings) > 0 {
		t.Errorf("with sums again: %v, %q", err, warnings)
	}
	listed, err := listed(old)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(old, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(old, path)
		if err == nil && !d.IsDir() && name != sumsFile && name != lockFile && len(listed[filepath.ToSlash(name)]) != 1 {
			t.Errorf("%s has %d sums", name, len(listed[filepath.ToSlash(name)]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
