package usage

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// Memory and time of a process that works show, and those of a process below it.
func TestReply(t *testing.T) {
	var m Meter
	first := m.Reply(os.Getpid())
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
	}
	second := m.Reply(os.Getpid())
	if first["kernel_memory"].(uint64) < 1<<20 || second["pid"] != os.Getpid() || second["cpu_count"] != runtime.NumCPU() {
		t.Error(first, second)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if p := second["kernel_cpu"].(float64); p <= 0 || p > 100*float64(runtime.NumCPU()) {
		t.Error(p)
	}
	if host := second["host_virtual_memory"].(map[string]any); host["total"].(uint64) <= host["available"].(uint64) {
		t.Error(host)
	}
	alone := readUsage(os.Getpid())
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill() //nolint:errcheck // the test is over
	own, both := readUsage(child.Process.Pid), readUsage(os.Getpid())
	if own.memory == 0 || both.memory < alone.memory/2+own.memory {
		t.Errorf("%d alone, %d the child, %d both", alone.memory, own.memory, both.memory)
	}
}
