package cputime

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

const child = "DDPS_TEST_CPUTIME"

// What a process counts for itself is no more than the system counts for it once it has ended, though it slept longer.
func TestProcess(t *testing.T) {
	const spin = 0.05 // seconds
	if os.Getenv(child) != "" {
		time.Sleep(2 * time.Second)
		last := 0.0
		for last < spin { // ends only as CPU time is counted
			now := Process()
			if now < last {
				t.Fatalf("%v s after %v s", now, last)
			}
			last = now
		}
		fmt.Printf("took %v s\n", last)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestProcess$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var own float64
	if _, err := fmt.Sscanf(string(out), "took %f s", &own); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if own < spin || own > whole+1e-3 {
		t.Errorf("counted %v s itself, %v s by the system", own, whole)
	}
}
