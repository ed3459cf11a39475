//go:build unix

// Package proctest has what tests that start processes share.
package proctest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Patience is how long tests wait.
const Patience = 20 * time.Second

// StartLine starts a program and returns the first line that it writes.
func StartLine(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Process.Kill()
		t.Fatal(line, err)
	}
	return line
}

// Children returns the processes below one, as far as the system tells.
func Children(pid int) (list []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range tasks {
		data, _ := os.ReadFile(name)
		for _, f := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(f); err == nil {
				list = append(append(list, child), Children(child)...)
			}
		}
	}
	return list
}

// Gone waits until processes, and what a pattern of paths matches, are gone.
func Gone(t *testing.T, pattern string, pids []int) {
	t.Helper()
	var left []string
	for end := time.Now().Add(Patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		left, _ = filepath.Glob(pattern)
		for _, pid := range pids {
			if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !strings.Contains(string(state),
				") Z ") {
				left = append(left, string(state))
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %q", left)
}
