package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"gocloud.dev/blob/memblob"

	"github.com/ddps-go/ddps/ddps"
)

func TestPart(t *testing.T) {
	for _, total := range []int{0, 1, 5, 64, 1000, 1 << 62} {
		for _, n := range []int{1, 3, 7, 64, MaxShards} {
			next, least, most := 0, total, 0
			for i := 1; i <= n; i++ {
				lo, hi := One(i, n).Span(total)
				if lo != next || hi < lo {
					t.Fatalf("%d of %d: shard %d is %d…%d, expected from %d", n, total, i, lo, hi, next)
				}
				next, least, most = hi, min(least, hi-lo), max(most, hi-lo)
			}
			if next != total || most-least > 1 {
				t.Fatalf("%d of %d: ends at %d, lengths %d to %d", n, total, next, least, most)
			}
		}
	}
	if p, err := Parse("3/64"); err != nil || p != One(3, 64) || p.String() != "3/64" {
		t.Error(p, err)
	}
	for _, bad := range []string{"", "3", "0/3", "4/3", "a/3", "3/b", "-1/3", "1/1000001", "1/2/3"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%q is a part", bad)
		}
	}
}

func TestJob(t *testing.T) {
	a := Job{"v1", "sample", map[string]string{"n": "5", "seed": "1"}, map[string]string{"model": "ab"}}
	b := Job{"v2", "sample", map[string]string{"n": "5", "seed": "2"}, map[string]string{"model": "ab", "reward": "cd"}}
	if again := a.Key(); again == b.Key() || a.Key() != again || len(a.Key()) != 32 {
		t.Error(a.Key(), b.Key())
	}
	want := []string{"program version: v1, v2", "setting seed: 1, 2", "content of reward: none, cd"}
	if got := a.Differences(b); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if got := a.Differences(a); got != nil {
		t.Errorf("%q", got)
	}
}

// stores opens a store of each kind.
func stores(t *testing.T, do func(t *testing.T, s *Store)) {
	t.Run("directory", func(t *testing.T) {
		s, err := Open(t.Context(), filepath.Join(t.TempDir(), "new"))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		do(t, s)
	})
	t.Run("memory", func(t *testing.T) {
		s, err := Open(t.Context(), "mem://")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		do(t, s)
	})
}

// content is the payload of shard i.
func content(p Part) func(io.Writer) error {
	return func(w io.Writer) error {
		for i := p.From; i <= p.To; i++ {
			if _, err := fmt.Fprintf(w, "shard %d\n", i); err != nil {
				return err
			}
		}
		return nil
	}
}

// all returns the payloads of a set, one after the other.
func all(t *testing.T, s *Store, set *Set) string {
	t.Helper()
	var b bytes.Buffer
	for _, o := range set.Objects {
		if err := s.Read(t.Context(), o, func(r io.Reader) error { _, err := io.Copy(&b, r); return err }); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func only(t *testing.T, s *Store) *Set {
	t.Helper()
	sets, damaged, err := s.Sets(t.Context())
	if err != nil || len(damaged) > 0 || len(sets) != 1 {
		t.Fatal(sets, damaged, err)
	}
	return sets[0]
}

func TestStore(t *testing.T) {
	stores(t, func(t *testing.T, s *Store) {
		ctx, job, n := t.Context(), Job{Program: "v1", Command: "test"}, 7
		var want bytes.Buffer
		content(Part{1, n, n})(&want)
		if err := s.PutHead(ctx, job, func(w io.Writer) error {
			_, err := io.WriteString(w,
				"head")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for k, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
			p := One(i+1, n)
			if there, err := s.Put(ctx, job, p, content(p)); there || err != nil {
				t.Fatal(there, err)
			}
			if there, err := s.Put(ctx, job, p, func(io.Writer) error { return errors.New("written again") }); !there ||
				err != nil {
				t.Fatal(there, err)
			}
			set := only(t, s)
			missing := 0
			for _, m := range set.Missing() {
				missing += m.To - m.From + 1
			}
			if missing != n-k-1 || len(set.Objects) != k+1 {
				t.Fatalf("%d written: missing %v", k+1, set.Missing())
			}
		}
		set := only(t, s)
		if got := all(t, s, set); got != want.String() {
			t.Errorf("%q", got)
		}
		err := s.ReadHead(ctx, job, func(r io.Reader) error {
			if text, err := io.ReadAll(r); string(text) != "head" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		// objects of several shards: each shard counts once
		for _, p := range []Part{{2, 4, n}, {3, 5, n}} {
			if _, err := s.Put(ctx, job, p, content(p)); err != nil {
				t.Fatal(err)
			}
		}
		set = only(t, s)
		if got := all(t, s, set); got != want.String() || len(set.Left) != 4 {
			t.Errorf("%q, left out %d", got, len(set.Left))
		}
		if _, err := set.Within(Part{2, 4, n}); err != nil {
			t.Error(err)
		}
		if _, err := set.Within(Part{1, 3, n}); err == nil {
			t.Error("2-4 is within 1-3")
		}
	})
}

// A payload that fails leaves nothing; what is cut off or changed is damaged, and written again.
func TestWholeOrAbsent(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	job, p, ctx := Job{Command: "test"}, One(1, 1), t.Context()
	fault := errors.New("no more")
	_, err = s.Put(ctx, job, p, func(w io.Writer) error { w.Write(make([]byte, 1<<20)); return fault })
	if err != fault {
		t.Errorf("error %v", err)
	}
	if sets, _, err := s.Sets(ctx); len(sets) > 0 || err != nil {
		t.Error("an object is there", err)
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(list) > 0 {
		t.Errorf("left behind: %q", list)
	}
	if _, err := s.Put(ctx, job, p, content(p)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, filepath.FromSlash(name(job, p)))
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string][]byte{"empty": {}, "more": append(bytes.Clone(whole), 'x'),
		"other": []byte(strings.Repeat("x", len(whole)))}
	for k := 0; k < len(whole); k += 3 {
		damage[fmt.Sprint("cut at ", k)] = whole[:k]
		changed := bytes.Clone(whole)
		changed[k] ^= 1
		damage[fmt.Sprint("changed at ", k)] = changed
	}
	for what, data := range damage {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		sets, damaged, err := s.Sets(ctx)
		if strings.Contains(fmt.Sprint(err), "of format") { // the digit of the format: named too
			continue
		}
		if len(sets) > 0 || len(damaged) != 1 || err != nil {
			t.Fatalf("%s: %v, %v, %v", what, sets, damaged, err)
		}
	}
	if there, err := s.Put(ctx, job, p, content(p)); there || err != nil {
		t.Fatal(there, err)
	}
	if again, err := os.ReadFile(file); !bytes.Equal(again, whole) || err != nil {
		t.Error("written again: other bytes", err)
	}
}

// Workers on one shard leave one object of the same bytes.
func TestTwoWorkers(t *testing.T) {
	dir, job := t.TempDir(), Job{Command: "test"}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := Open(t.Context(), dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			for i := 1; i <= 5; i++ {
				if _, err := s.Put(t.Context(), job, One(i, 5), content(One(i, 5))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if set := only(t, s); len(set.Objects) != 5 || len(set.Missing()) > 0 {
		t.Error(set.Missing())
	}
}

func TestPaths(t *testing.T) {
	g := ddps.Example()
	var b bytes.Buffer
	w, n := NewPathWriter(&b), 0
	var want []ddps.Path
	for p := range g.Paths() {
		n++
		want = append(want, p)
		if err := w.Write(p, n*1000); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	data, k := bytes.Clone(b.Bytes()), 0
	err := EachPath(&b, g, func(p ddps.Path, count int) error {
		if k++; count != k*1000 || !reflect.DeepEqual(p, want[k-1]) {
			t.Errorf("path %d is %v ×%d", k, p, count)
		}
		return nil
	})
	if err != nil || k != n {
		t.Error(k, err)
	}
	for cut := range data {
		if err := EachPath(bytes.NewReader(data[:cut]), g, func(ddps.Path, int) error { return nil }); err != nil &&
			!strings.Contains(err.Error(), "path ") {
			t.Error(cut, err)
		}
	}
	data[1] = 200
	if err := EachPath(bytes.NewReader(data), g, func(ddps.Path, int) error { return nil }); err == nil {
		t.Error("a vertex that there is not")
	}
}

func TestOpenErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"", file, "nonsense://x"} {
		if s, err := Open(context.Background(), place); err == nil {
			t.Errorf("%q: opened %v", place, s)
		}
	}
	New(memblob.OpenBucket(nil), "x").Close()
}
