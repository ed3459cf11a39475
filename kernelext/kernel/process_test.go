//go:build unix

package kernel

import (
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

	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// front is a front end as a program of its own: it starts a kernel by a command line, has it run a cell without end
// and one that starts a child, and tells on standard output when both are at work.
func front(command []string) int {
	c, err := jupyter.StartKernel(command, ".")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	code := "%%\ncmd := exec.Command(\"sleep\", \"1000\")\nif err := cmd.Start(); err != nil {\n\tpanic(err)\n}\n" +
		"fmt.Println(\"pids\", os.Getpid(), cmd.Process.Pid)\nfor {\n}"
	if _, err := c.Send(c.Shell, "execute_request", jupyter.ExecuteRequest{Code: code}.Whole()); err != nil {
		fmt.Println(err)
		return 1
	}
	line := ""
	err = c.Wait(5*time.Minute, func() bool {
		for _, m := range c.Output {
			var text struct{ Text string }
			if json.Unmarshal(m.Content, &text) == nil && strings.HasPrefix(text.Text, "pids ") {
				line = text.Text
			}
		}
		return line != ""
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Printf("kernel %d %s %s", c.Cmd.Process.Pid, c.Scratch, line)
	time.Sleep(time.Hour)
	return 0
}

// Whoever is killed, the front end or the kernel, takes all with it: the kernel, the compiler, the cell's program
// and its child, the temporary directory.
func TestKilled(t *testing.T) {
	python(t)
	program := buildProgram(t)
	for _, who := range []string{"front end", "kernel"} {
		t.Run(who, func(t *testing.T) {
			tmp := shortFolder(t)
			cmd := exec.Command(os.Args[0], "front", program, "kernel", "run")
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
			line := proctest.StartLine(t, cmd)
			var scratch string
			var pids [3]int // the kernel, the cell's program, its child
			if n, _ := fmt.Sscanf(line, "kernel %d %s pids %d %d", &pids[0], &scratch, &pids[1], &pids[2]); n != 4 {
				cmd.Process.Kill()
				t.Fatal(line)
			}
			all := append(pids[:], proctest.Children(pids[0])...)
			if dirs, _ := filepath.Glob(filepath.Join(tmp, gonb.FolderPrefix+"*")); len(dirs) != 1 {
				t.Fatal(dirs)
			}
			begin := time.Now()
			if who == "kernel" {
				syscall.Kill(pids[0], syscall.SIGKILL)
			}
			cmd.Process.Kill()
			cmd.Wait()
			proctest.Gone(t, filepath.Join(tmp, gonb.FolderPrefix+"*"), all)
			t.Logf("%d processes and the directory were gone after %v", len(all), time.Since(begin).Round(time.Millisecond))
		})
	}
}

// A compiler that is killed is started anew, and its cells run.
func TestCompilerKilled(t *testing.T) {
	python(t)
	c, err := jupyter.StartKernel([]string{buildProgram(t), "kernel", "run"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const limit = 5 * time.Minute
	for range 2 {
		if _, err := c.Run("%%\nfmt.Println(1)", limit); err != nil {
			t.Fatal(err)
		}
		pid, err := exec.Command("pgrep", "-P", strconv.Itoa(c.Cmd.Process.Pid), "gonb").Output()
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
		if r, err := c.Run("%%\nfmt.Println(2)", limit); err != nil || text(t, r.Output, "stdout") != "2\n" {
			t.Error(err)
		}
	}
}

// Two kernels on one module at once do not see each other's declarations, and neither waits for the other.
func TestTwoKernels(t *testing.T) {
	python(t)
	program := buildProgram(t)
	var both sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		both.Go(func() {
			c, err := jupyter.StartKernel([]string{program, "kernel", "run"}, ".")
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for _, cell := range []struct{ code, out string }{
				{"func who() string { return \"" + name + "\" }", ""},
				{"%%\nfmt.Println(who())", name + "\n"},
				{"%%live\nwho := \"" + name + "\"\nfmt.Println(who)", name + "\n"},
				{"%%\nfmt.Println(ddps.Example().NumEdges() > 0, who())", "true " + name + "\n"},
				{"%%live\nfmt.Println(who)", name + "\n"},
			} {
				r, err := c.Run(cell.code, 5*time.Minute)
				if got := text(t, r.Output, "stdout"); err != nil || got != cell.out {
					t.Errorf("kernel %s: %q gives %q, %v", name, cell.code, got, err)
				}
			}
		})
	}
	both.Wait()
}
