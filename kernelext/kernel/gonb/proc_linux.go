package gonb

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// ownGroup makes a child the leader of a process group, which dies with the thread that started it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// processStart returns when a process began, in ticks since the system did; "" if there is none of that number.
func processStart(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// from the third on: the second may have spaces
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}
