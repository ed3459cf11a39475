package kernel

import "syscall"

// ownGroup makes a child the leader of a process group, which dies with the thread that started it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
