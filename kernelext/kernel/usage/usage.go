// Package usage says what memory and CPU time a process and those below it use.
package usage

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Meter measures a process. The zero value is ready.
type Meter struct {
	mu   sync.Mutex
	last used
}

// Reply is the content of usage_reply for a process: memory and CPU time of it and of those below it, and of the
// machine where that tells (Linux). What is used of CPUs is in percent of one, since the last call.
func (m *Meter) Reply(pid int) map[string]any {
	host, _ := os.Hostname()
	reply := map[string]any{"hostname": host, "pid": pid, "cpu_count": runtime.NumCPU()}
	now := readUsage(pid)
	if now.memory == 0 {
		var own runtime.MemStats
		runtime.ReadMemStats(&own)
		now.memory = own.Sys
	}
	reply["kernel_memory"] = now.memory
	m.mu.Lock()
	before := m.last
	m.last = now
	m.mu.Unlock()
	percent := 0.0
	if wall := now.at.Sub(before.at); !before.at.IsZero() && wall > 0 && now.cpu >= before.cpu {
		percent = 100 * float64(now.cpu-before.cpu) / float64(wall)
	}
	reply["kernel_cpu"] = percent
	if total, available := now.total, now.available; total > 0 {
		reply["host_virtual_memory"] = map[string]any{"total": total, "available": available, "used": total - available,
			"free":    available,
			"percent": 100 * float64(total-available) / float64(total)}
	}
	return reply
}

// used is what processes have used at a time.
type used struct {
	at               time.Time
	memory           uint64 // resident bytes
	cpu              time.Duration
	total, available uint64 // memory of the machine
}

// readUsage adds up a process and all below it.
func readUsage(pid int) used {
	u := used{at: time.Now()}
	parent := map[int]int{}
	stats := map[int][]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the state on
		if len(fields) < 22 {
			continue
		}
		parent[id], _ = strconv.Atoi(fields[1])
		stats[id] = fields
	}
	for id, fields := range stats {
		at := id
		for range 100 {
			if at == pid || at <= 1 {
				break
			}
			at = parent[at]
		}
		if at != pid {
			continue
		}
		pages, _ := strconv.ParseUint(fields[21], 10, 64)
		u.memory += pages * uint64(os.Getpagesize())
		for _, i := range []int{11, 12} { // ticks of 1/100 s, in user and kernel mode
			ticks, _ := strconv.ParseInt(fields[i], 10, 64)
			u.cpu += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		kb, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		switch name {
		case "MemTotal":
			u.total = kb << 10
		case "MemAvailable":
			u.available = kb << 10
		}
	}
	return u
}
