package artefact

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

type config struct {
	Steps  int
	LR     float64
	hidden string
	By     map[string][]int
}

func TestCached(t *testing.T) {
	dir := t.TempDir()
	var runs atomic.Int64
	get := func(parts ...any) float64 {
		t.Helper()
		x, err := Cached(t.Context(), dir, func(context.Context) (float64, error) { return float64(runs.Add(1)), nil },
			parts...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	base := config{Steps: 3, LR: math.NaN(), By: map[string][]int{"a": {1}, "b": nil}}
	for range 2 {
		if x := get("x", base); x != 1 {
			t.Error("call computed again:", x)
		}
	}
	hidden, by, lr := base, base, base
	hidden.hidden = "other"
	by.By = map[string][]int{"a": {1}, "b": {0}}
	lr.LR = 1
	seen := map[float64]bool{1: true}
	for _, parts := range [][]any{{"y", base}, {"x", hidden}, {"x", by}, {"x", lr}, {"x"}, {"x", &base},
		{"x", ddps.Example()}, {"x", int32(1)}, {"x", int64(1)}, {"x", 1, 2}, {"x", []int{1, 2}}} {
		x := get(parts...)
		if seen[x] {
			t.Errorf("%v: the value of other parts", parts)
		}
		seen[x] = true
		if get(parts...) != x {
			t.Errorf("%v: computed twice", parts)
		}
	}
	if runs.Load() != int64(len(seen)) {
		t.Errorf("%d runs for %d keys", runs.Load(), len(seen))
	}
}

// Another function has another key with the same parts.
func TestFunctions(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	a, err := Cached(ctx, dir, func(context.Context) (int, error) { return 1, nil }, "p")
	if err != nil || a != 1 {
		t.Fatal(a, err)
	}
	b, err := Cached(ctx, dir, func(context.Context) (int, error) { return 2, nil }, "p")
	if err != nil || b != 2 {
		t.Fatal(b, err)
	}
}

func TestErrors(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	boom := errors.New("boom")
	if _, err := Cached(ctx, dir, func(context.Context) (int, error) { return 0, boom }, 1); !errors.Is(err, boom) {
		t.Error(err)
	}
	if x, err := Cached(ctx, dir, func(context.Context) (int, error) { return 5, nil }, 1); x != 5 || err != nil {
		t.Error("an error was kept", x, err)
	}
	loop := &node{}
	loop.next = loop
	for _, part := range []any{func() {}, struct{ C chan int }{make(chan int)}, loop} {
		if _, err := Cached(ctx, dir, func(context.Context) (int, error) { return 0, nil }, part); err == nil {
			t.Errorf("%T: no error", part)
		}
	}
	if _, err := Cached(ctx, dir, func(context.Context) (node, error) { return node{}, nil }, 1); err == nil {
		t.Error("a type that gob cuts short was taken")
	}
	if _, err := File(filepath.Join(dir, "none")); err == nil {
		t.Error("no error for a missing file")
	}
}

type node struct{ next *node }

func TestDamage(t *testing.T) {
	dir := t.TempDir()
	get := func(v int) int {
		t.Helper()
		x, err := Cached(t.Context(), dir, func(context.Context) (int, error) { return v, nil }, "k")
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	get(7)
	list, err := List(dir)
	if err != nil || len(list) != 1 || list[0].Type != "int" || list[0].Size == 0 {
		t.Fatal(list, err)
	}
	file := filepath.Join(dir, list[0].Key+ending)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 9 {
		bad := append([]byte(nil), data...)
		bad[i] ^= 0x20
		if err := os.WriteFile(file, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if x := get(7); x != 7 {
			t.Fatalf("byte %d damaged: %d", i, x)
		}
	}
	for n := 0; n < len(data); n += 9 {
		if err := os.WriteFile(file, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if x := get(7); x != 7 {
			t.Fatalf("cut at %d: %d", n, x)
		}
	}
	if gone, err := Collect([]string{dir}, Policy{Before: time.Now().Add(time.Hour)}); err != nil || len(gone) != 1 {
		t.Error(gone, err)
	}
	if x := get(8); x != 8 {
		t.Error("removed, but found", x)
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	key := func(text string) string {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := File(name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := Key("code", c)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	a, b, again := key("a"), key("b"), key("a")
	if a == b || a != again {
		t.Error("the key does not follow the content")
	}
}

// Goroutines that want the same result compute it once.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	var runs atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			x, err := Cached(t.Context(), dir, func(context.Context) (int, error) {
				time.Sleep(30 * time.Millisecond)
				return int(runs.Add(1)), nil
			}, "once")
			if x != 1 || err != nil {
				t.Error(x, err)
			}
		})
	}
	wg.Wait()
}

// A wait for another's result ends with its context.
func TestWait(t *testing.T) {
	dir := t.TempDir()
	begun, end := make(chan bool), make(chan bool)
	compute := func(context.Context) (int, error) { close(begun); <-end; return 1, nil }
	get := func(ctx context.Context) error {
		_, err := Cached(ctx, dir, compute, "wait")
		return err
	}
	done := make(chan error)
	go func() { done <- get(t.Context()) }()
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := get(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	close(end)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// child is what the test program does as another process: it computes and says so, or waits to be killed.
func child(dir, how string) error {
	x, err := Cached(context.Background(), dir, func(context.Context) (string, error) {
		fmt.Println("computing")
		if how == "hang" {
			time.Sleep(time.Hour)
		}
		time.Sleep(100 * time.Millisecond)
		return strings.Repeat("result", 1000), nil
	}, "processes")
	if err == nil {
		fmt.Println("got", len(x))
	}
	return err
}

func TestMain(m *testing.M) {
	if dir := os.Getenv("ARTEFACT_DIR"); dir != "" {
		if err := child(dir, os.Getenv("ARTEFACT_HOW")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func process(t *testing.T, dir, how string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ARTEFACT_DIR="+dir, "ARTEFACT_HOW="+how)
	cmd.Stderr = os.Stderr
	return cmd
}

// Processes compute once between them, and one that is killed while it computes leaves nothing in the way.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	hang := process(t, dir, "hang")
	out, err := hang.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := hang.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "computing\n" {
		t.Fatalf("%q", line)
	}
	if err := hang.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	hang.Wait()
	var mu sync.Mutex
	var all string
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b, err := process(t, dir, "work").Output()
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			all += string(b)
		})
	}
	wg.Wait()
	if strings.Count(all, "computing") != 1 || strings.Count(all, "got 6000") != 4 {
		t.Errorf("%q", all)
	}
}

func TestReach(t *testing.T) {
	const src = `package main
import "fmt"
const ( A = iota; B )
var k = helper(1)
type T struct{ x int }
func (t T) M() int { return unusedByF() }
func helper(i int) int { return i + B }
func unusedByF() int { return 9 }
func f() int {
	return k
}
func g() int { return T{}.M() }
func main() { fmt.Println(f(), g()) }
`
	reach := func(src string, line int) string {
		t.Helper()
		p := newMain()
		if err := p.parse("m.go", []byte(src)); err != nil {
			t.Fatal(err)
		}
		texts, err := p.reach("m.go", line)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(texts, "\n")
	}
	f := reach(src, 10)
	for _, want := range []string{"helper(i int)", "iota", "k = helper"} {
		if !strings.Contains(f, want) {
			t.Errorf("f does not reach %q:\n%s", want, f)
		}
	}
	if strings.Contains(f, "unusedByF") || strings.Contains(f, "func main") {
		t.Errorf("f reaches too much:\n%s", f)
	}
	if g := reach(src, 12); !strings.Contains(g, "return 9") {
		t.Errorf("g does not reach what its method calls:\n%s", g)
	}
	if reach(strings.Replace(src, "i + B", "i - B", 1), 10) == f {
		t.Error("a change in a helper does not show")
	}
	if reach(strings.Replace(src, "return 9", "return 8", 1), 10) != f {
		t.Error("a change elsewhere shows")
	}
	if strings.Contains(f, `"fmt"`) {
		t.Error("f reaches an import that only main uses")
	}
	with := func(path string) string {
		return reach(strings.Replace(strings.Replace(src, `"fmt"`, `"fmt"`+"\nimport "+path, 1), "i + B", "rand.Int()", 1),
			11)
	}
	if with(`"math/rand"`) == with(`"math/rand/v2"`) || with(`rand "x/y"`) == with(`rand "x/z"`) {
		t.Error("another package of the same name does not show")
	}
	if with(`_ "x/y"`) == with(`_ "x/z"`) || with(`"x/y"`) != with(`"x/z"`) {
		t.Error("imports for their effects count, and others by their names")
	}
}

func BenchmarkHit(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if _, err := Cached(b.Context(), dir, func(context.Context) (int, error) { return 1, nil }, "k",
			config{}); err != nil {
			b.Fatal(err)
		}
	}
}
