//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	ddpsrun "github.com/ddps-go/ddps/ddps/run"
)

// standalone builds a job server and the program, starts the server, and returns what starts the program as a job.
func standalone(t *testing.T, dir string) func(args ...string) *exec.Cmd {
	t.Helper()
	for name, pkg := range map[string]string{"prism": "github.com/apache/beam/sdks/v2/go/cmd/prism", "ddps-scale": "."} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	server := exec.Command(filepath.Join(dir, "prism"), "--job_port", port, "--serve_http=false")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	for range 600 {
		if c, err := net.Dial("tcp", "localhost:"+port); err == nil {
			c.Close()
			return func(args ...string) *exec.Cmd {
				return exec.Command(filepath.Join(dir, "ddps-scale"), append([]string{"--runner", "universal", "--endpoint",
					"localhost:" + port, "--environment_type", "LOOPBACK"}, args...)...)
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the job server does not answer")
	return nil
}

// A Prism of its own process serves jobs at once, whose workers are processes of their own. One that is killed in the
// middle leaves whole files alone and the other jobs as they are; the same command then ends in the same bytes.
func TestStandalonePrism(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	dir := t.TempDir()
	job := standalone(t, dir)
	t.Run("counts", func(t *testing.T) { counts(t, dir, job) })
	t.Run("killed", func(t *testing.T) { killed(t, dir, job) })
	t.Run("tried again", func(t *testing.T) { triedAgain(t, dir, job) })
}

// killed runs two jobs that draw the same samples, and kills the worker of one.
func killed(t *testing.T, dir string, job func(...string) *exec.Cmd) {
	m, _, err := ddpsrun.OpenModel("shipped:toy", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(dir, "model.safetensors")
	if err := pathfile.WriteWhole(model, m.Save); err != nil {
		t.Fatal(err)
	}
	const shards = 48
	sample := func(out string) *exec.Cmd {
		return job("--tries", "1", "--do", "sample", "--model", model, "--n", "2000", "--steps", "8", "--shards",
			fmt.Sprint(shards), "--write", "csv", "--out", out)
	}
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	files := func(out string) []string {
		list, err := filepath.Glob(filepath.Join(out, "paths-*.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	victim, other := sample(a), sample(b)
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(2 * time.Minute); len(files(a)) == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	victim.Process.Kill()
	if victim.Wait() == nil {
		t.Fatal("the job ended before its worker was killed")
	}
	left := files(a)
	if len(left) == 0 || len(left) >= shards {
		t.Errorf("%d files of %d when the worker was killed", len(left), shards)
	}
	if err := other.Wait(); err != nil {
		t.Fatalf("the other job: %v", err)
	}
	same := func(list []string) {
		for _, file := range list {
			want, err := os.ReadFile(filepath.Join(b, filepath.Base(file)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(file); string(got) != string(want) || err != nil {
				t.Errorf("%s: other bytes, %v", file, err)
			}
		}
	}
	same(left)
	if out, err := sample(a).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if list := files(a); len(list) != shards || len(files(b)) != shards {
		t.Errorf("%d files after the second run, expected %d", len(list), shards)
	}
	same(files(a))
}

// counts runs two jobs that count.
func counts(t *testing.T, dir string, job func(...string) *exec.Cmd) {
	g := ddps.Example()
	var b strings.Builder
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "graph.json"), b.String())
	var wg sync.WaitGroup
	for n := 1; n <= 2; n++ {
		var rows strings.Builder
		want := map[string]bool{}
		for p := range g.Paths() {
			var names []string
			for _, v := range p {
				names = append(names, g.Name(v))
			}
			row := strings.Join(names, ",")
			rows.WriteString(strings.Repeat(row+"\n", 10*n))
			want[fmt.Sprint(row, ",", 10*n)] = true
		}
		in, out := filepath.Join(dir, fmt.Sprint(n, ".csv")), filepath.Join(dir, fmt.Sprint("out", n))
		write(t, in, rows.String())
		wg.Go(func() {
			text, err := job("--do", "paths", "--graph", filepath.Join(dir, "graph.json"), "--files", in, "--block", "100",
				"--parts", "1",
				"--out", out).CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, text)
				return
			}
			data, err := os.ReadFile(filepath.Join(out, "counts-00001-of-00001.csv"))
			if err != nil {
				t.Error(err)
				return
			}
			got := strings.Fields(string(data))[1:] // without the header
			for _, line := range got {
				if !want[line] {
					t.Errorf("job %d: %q", n, line)
				}
			}
			if len(got) != len(want) {
				t.Errorf("job %d: %d paths, expected %d", n, len(got), len(want))
			}
		})
	}
	wg.Wait()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
