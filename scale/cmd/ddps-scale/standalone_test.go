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

	"github.com/ddps-go/ddps/ddps"
)

// A Prism of its own process serves two jobs at once, whose workers are processes of their own.
func TestStandalonePrism(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	dir := t.TempDir()
	for name, pkg := range map[string]string{"prism": "github.com/apache/beam/sdks/v2/go/cmd/prism", "ddps-scale": "."} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	l.Close()
	server := exec.Command(filepath.Join(dir, "prism"), "--job_port", port, "--serve_http=false")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	up := false
	for range 300 {
		if c, err := net.Dial("tcp", "localhost:"+port); err == nil {
			c.Close()
			up = true
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !up {
		t.Fatal("the job server does not answer")
	}
	g := ddps.Example()
	var b strings.Builder
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "graph.json"), b.String())
	var wg sync.WaitGroup
	for job := 1; job <= 2; job++ {
		var rows strings.Builder
		want := map[string]bool{}
		for p := range g.Paths() {
			var names []string
			for _, v := range p {
				names = append(names, g.Name(v))
			}
			row := strings.Join(names, ",")
			rows.WriteString(strings.Repeat(row+"\n", 10*job))
			want[fmt.Sprint(row, ",", 10*job)] = true
		}
		in, out := filepath.Join(dir, fmt.Sprint(job, ".csv")), filepath.Join(dir, fmt.Sprint("out", job))
		write(t, in, rows.String())
		wg.Go(func() {
			text, err := exec.Command(filepath.Join(dir, "ddps-scale"), "--runner", "universal", "--endpoint", "localhost:"+port,
				"--environment_type", "LOOPBACK",
				"--do", "paths", "--graph", filepath.Join(dir, "graph.json"), "--files", in, "--block", "100", "--parts", "1",
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
					t.Errorf("job %d: %q", job, line)
				}
			}
			if len(got) != len(want) {
				t.Errorf("job %d: %d paths, expected %d", job, len(got), len(want))
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
