package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/plots/page"
)

// The page of a model and of files, and the picture of all samples.
func TestView(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	view := strings.Fields("view run paths.csv -n 30 --steps 4 --seed 2 --lambda 0,100 --reward reward.csv")
	view = append(view, "--where", `visit("C")`, "--where", `avoid("C") and reward >= 1`)
	good(t, append(view, "-q", "-o", "a.html")...)
	good(t, append(view, "-q", "--out", "b.html")...)
	file := clitest.Read(t, "a.html")
	if file != clitest.Read(t, "b.html") {
		t.Error("not the same again")
	}
	for _, want := range []string{"<title>run</title>", `"name":"unguided"`,
		`"name":"Algorithm 2","guide":"algorithm2","lambda":100`, `"name":"the greatest reward"`,
		`"name":"visit(\"C\")"`, `"name":"avoid(\"C\") and reward \u003e= 1"`, `"name":"data"`, `"name":"paths.csv"`,
		"30 paths each, 4 reverse steps, seed 2; the reward: reward.csv"} {
		if !strings.Contains(file, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(file, `"sample":true`); n != 6 {
		t.Errorf("%d samples", n)
	}
	good(t, append(view, "-q", "--figure", "all.png")...)
	if !strings.HasPrefix(clitest.Read(t, "all.png"), "\x89PNG") {
		t.Error("no picture")
	}
	good(t, "view", "run/model.safetensors", "-q", "-n", "5", "--reward", "none", "-o", "bare.html")
	if file := clitest.Read(t, "bare.html"); strings.Contains(file, "Algorithm 2\"") ||
		strings.Contains(file, `"name":"data"`) || !strings.Contains(file, `"reward":null`) {
		t.Error("without a reward and a run there are guided samples, or data")
	}
	good(t, "view", "--graph", "example", "paths.csv", "--reward", "reward.csv", "-o", "files.html", "--figure",
		"files.svg")
	if file := clitest.Read(t, "files.html"); !strings.Contains(file, `"name":"paths.csv"`) ||
		strings.Contains(file, `"sample":true`) || !strings.HasPrefix(clitest.Read(t, "files.svg"), "<?xml") {
		t.Error("the page of files is wrong")
	}
}

func TestViewErrors(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	for line, want := range map[string]string{
		"view nothing": "nothing is no run directory", "view run none.csv": "none.csv",
		"view run -o away/x.html":      "cannot write away/x.html",
		"view run --figure away/x.png": "cannot write away/x.png", "view run --reward none.csv": "no such file",
		"view run --reward random:99":                  "99 is not in",
		`view run --where 'visit("Q")'`:                `--where: character 7: no vertex`,
		`view run --where 'visit("B") and visit("C")'`: "no path meets",
		`view run --where 'cost <= 1'`:                 "add --cost", "view run --steps 999": "999 steps",
		"view --graph none.json paths.csv": "none.json",
		"view --graph example reward.csv":  "reward.csv", "view --graph heights paths.csv": "paths.csv",
	} {
		bad(t, exitError, []string{want}, words(line)...)
	}
	for line, want := range map[string]string{
		"view": "RUN is missing", "view --graph example": "FILE is missing", "view run --lambda 1,x": "--lambda",
		"view run --lambda 1,nan": "--lambda", "view run -n 0": "want 1 or more",
		"view run --figure x.gif": "x.gif", "view --graph example paths.csv --where x": "--where is for samples of a model",
		"view --graph example paths.csv -n 4":                  "--number is for samples of a model",
		"view run --lambda " + strings.Repeat("1,", 100) + "1": "101 values",
	} {
		bad(t, exitUsage, []string{want}, words(line)...)
	}
	cancelled(t, "view", "run", "-n", "2000000", "-o", "old.html")
}

// The page is served to this machine alone, at the address printed, until the command is interrupted.
func TestViewServes(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "paths.csv", "A,B,E,H\nA,C,G,H\n")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, in := io.Pipe()
	var errs bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- execute(ctx, []string{"view", "--graph", "example", "paths.csv"}, in, &errs)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	address := strings.TrimSpace(line)
	if err != nil || !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/$`).MatchString(address) {
		t.Fatalf("%q, %v, %s", line, err, &errs)
	}
	ask := func(method, path, host string) (*http.Response, string) {
		r, err := http.NewRequest(method, address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		body, err := io.ReadAll(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		return w, string(body)
	}
	w, body := ask("GET", "", "")
	if w.StatusCode != http.StatusOK || !strings.HasPrefix(body, "<!doctype html>") ||
		!strings.Contains(body, "<title>example</title>") {
		t.Errorf("status %d, %.100q", w.StatusCode, body)
	}
	for name, want := range map[string]string{"Content-Type": "text/html; charset=utf-8",
		"Content-Security-Policy": page.Policy() + "; frame-ancestors 'none'",
		"X-Content-Type-Options":  "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} {
		if got := w.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, c := range []struct {
		method, path, host string
		status             int
	}{{"HEAD", "", "", 200}, {"POST", "", "", 405}, {"GET", "x", "", 404}, {"GET", "", "evil.example", 421},
		{"GET", "", "localhost:" + strings.Trim(address[len("http://127.0.0.1:"):], "/"), 200}} {
		if w, _ := ask(c.method, c.path, c.host); w.StatusCode != c.status {
			t.Errorf("%s /%s, host %q: status %d, want %d", c.method, c.path, c.host, w.StatusCode, c.status)
		}
	}
	cancel()
	if s := <-status; s != exitOK || !strings.Contains(errs.String(), "Ctrl-C ends") {
		t.Errorf("status %d, %s", s, &errs)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it serves on")
	}
	if files, _ := os.ReadDir("."); len(files) != 1 {
		t.Errorf("files %v", files)
	}
}
