package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The README's commands run as they are, in its order, in an empty directory but for the checkout's map: all but the
// first block, the set-up, and the figures' table, which the tests of reproduce run in a small size.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of commands")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := []string{"set -eu", "cd " + dir, "mkdir -p out", "ln -s " + filepath.Join(root, "datasets") + " datasets"}
	blocks := strings.Split(string(readme), "```sh\n")
	if len(blocks) < 4 {
		t.Fatalf("%d blocks of commands in README.md", len(blocks)-1)
	}
	for _, block := range blocks[2:] {
		commands, _, _ := strings.Cut(block, "```")
		script = append(script, strings.TrimSpace(commands))
	}
	build := "go build -o out/ ./cmd/ddps"
	text := strings.Join(script, "\n") + "\n"
	if strings.Count(text, build) != 1 {
		t.Fatalf("README.md does not build the program by %q", build)
	}
	text = strings.Replace(text, build, "(cd "+root+" && go build -o "+dir+"/out/ ./cmd/ddps)", 1)
	for _, line := range strings.Split(string(readme), "\n") { // figures 1 and 2
		if cells := strings.Split(line, "|"); len(cells) == 5 && strings.HasPrefix(strings.TrimSpace(cells[3]),
			"`graph draw") {
			text += "out/ddps " + strings.Trim(strings.TrimSpace(cells[3]), "`") + " -q\n"
		}
	}
	cmd := exec.CommandContext(context.Background(), "bash", "-c", text)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"visits.csv", "visits.png", "guided.csv", "samples.csv", "scores.csv", "best.csv",
		"some.csv"} {
		if info, err := os.Stat(filepath.Join(dir, "out", name)); err != nil || info.Size() == 0 {
			t.Errorf("out/%s: %v", name, err)
		}
	}
}
