//go:build unix && !linux

package gonb

import "syscall"

// ownGroup makes a child the leader of a process group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// processStart cannot tell when a process began.
func processStart(int) string { return "" }
