//go:build unix

// Package cputime measures CPU time.
package cputime

import "syscall"

// Process returns the seconds that all threads of this process have run, in user and in kernel mode; 0 where the system
// does not say.
func Process() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
