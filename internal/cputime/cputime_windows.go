// Package cputime measures CPU time.
package cputime

import "syscall"

// Process returns the seconds that all threads of this process have run, in user and in kernel mode; 0 where the system
// does not say.
func Process() float64 {
	var created, exited, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(self, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return 0
	}
	// of 100 ns
	ticks := func(t syscall.Filetime) float64 { return float64(uint64(t.HighDateTime)<<32 | uint64(t.LowDateTime)) }
	return (ticks(kernel) + ticks(user)) / 1e7
}
