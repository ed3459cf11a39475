//go:build unix

package kernel

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// front is a front end as a program of its own: it starts a kernel by a command line, has it run a cell without end
// and one that starts a child, and tells on standard output when both are at work.
func front(command []string) int {
	c, err := startKernel(command, ".")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	code := "%%\ncmd := exec.Command(\"sleep\", \"1000\")\nif err := cmd.Start(); err != nil {\n\tpanic(err)\n}\n" +
		"fmt.Println(\"pids\", os.Getpid(), cmd.Process.Pid)\nfor {\n}"
	if _, err := c.send(c.shell, "execute_request", executeRequest{Code: code}.whole()); err != nil {
		fmt.Println(err)
		return 1
	}
	line := ""
	err = c.wait(5*time.Minute, func() bool {
		for _, m := range c.output {
			var text struct{ Text string }
			if json.Unmarshal(m.content, &text) == nil && strings.HasPrefix(text.Text, "pids ") {
				line = text.Text
			}
		}
		return line != ""
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Printf("kernel %d %s %s", c.cmd.Process.Pid, c.folder, line)
	time.Sleep(time.Hour)
	return 0
}

// Whoever is killed, the front end or the kernel, takes all with it: the kernel, the compiler, the cell's program
// and its child, the temporary folder.
func TestKilled(t *testing.T) {
	jupyter(t)
	program := buildProgram(t)
	for _, who := range []string{"front end", "kernel"} {
		t.Run(who, func(t *testing.T) {
			tmp := shortFolder(t)
			cmd := exec.Command(os.Args[0], "front", program, "kernel", "run")
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
			line := startLine(t, cmd)
			var folder string
			var pids [3]int // the kernel, the cell's program, its child
			if n, _ := fmt.Sscanf(line, "kernel %d %s pids %d %d", &pids[0], &folder, &pids[1], &pids[2]); n != 4 {
				cmd.Process.Kill()
				t.Fatal(line)
			}
			all := append(pids[:], children(pids[0])...)
			if folders, _ := filepath.Glob(filepath.Join(tmp, folderPrefix+"*")); len(folders) != 1 {
				t.Fatal(folders)
			}
			begin := time.Now()
			if who == "kernel" {
				syscall.Kill(pids[0], syscall.SIGKILL)
			}
			cmd.Process.Kill()
			cmd.Wait()
			gone(t, tmp, all)
			t.Logf("%d processes and the folder were gone after %v", len(all), time.Since(begin).Round(time.Millisecond))
		})
	}
}

// startLine starts a program and returns the first line that it writes.
func startLine(t *testing.T, cmd *exec.Cmd) string {
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

// children returns the processes below one, as far as the system tells.
func children(pid int) (list []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range tasks {
		data, _ := os.ReadFile(name)
		for _, f := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(f); err == nil {
				list = append(append(list, child), children(child)...)
			}
		}
	}
	return list
}

// gone waits until processes and a kernel's folder are gone.
func gone(t *testing.T, tmp string, pids []int) {
	t.Helper()
	var left []string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		left, _ = filepath.Glob(filepath.Join(tmp, folderPrefix+"*"))
		for _, pid := range pids {
			if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !strings.Contains(string(state), ") Z ") {
				left = append(left, string(state))
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %q", left)
}

// A compiler that is killed is started anew, and its cells run.
func TestCompilerKilled(t *testing.T) {
	jupyter(t)
	c, err := startKernel([]string{buildProgram(t), "kernel", "run"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	const limit = 5 * time.Minute
	for range 2 {
		if _, err := c.run("%%\nfmt.Println(1)", limit); err != nil {
			t.Fatal(err)
		}
		pid, err := exec.Command("pgrep", "-P", strconv.Itoa(c.cmd.Process.Pid), "gonb").Output()
		if err != nil {
			t.Fatal("GoNB is not found: ", err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(pid)))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(n, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // for the kernel to notice
		if r, err := c.run("%%\nfmt.Println(2)", limit); err != nil || text(t, r.output, "stdout") != "2\n" {
			t.Error(err)
		}
	}
}

// Two kernels on one module at once do not see each other's declarations, and neither waits for the other.
func TestTwoKernels(t *testing.T) {
	jupyter(t)
	program := buildProgram(t)
	var both sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		both.Go(func() {
			c, err := startKernel([]string{program, "kernel", "run"}, ".")
			if err != nil {
				t.Error(err)
				return
			}
			defer c.close()
			for _, cell := range []struct{ code, out string }{
				{"func who() string { return \"" + name + "\" }", ""},
				{"%%\nfmt.Println(who())", name + "\n"},
				{"%%live\nwho := \"" + name + "\"\nfmt.Println(who)", name + "\n"},
				{"%%\nfmt.Println(ddps.Example().NumEdges() > 0, who())", "true " + name + "\n"},
				{"%%live\nfmt.Println(who)", name + "\n"},
			} {
				r, err := c.run(cell.code, 5*time.Minute)
				if got := text(t, r.output, "stdout"); err != nil || got != cell.out {
					t.Errorf("kernel %s: %q gives %q, %v", name, cell.code, got, err)
				}
			}
		})
	}
	both.Wait()
}
