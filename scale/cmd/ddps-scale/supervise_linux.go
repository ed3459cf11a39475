package main

import (
	"os/exec"
	"syscall"
)

// endWithParent ends the process when this one is killed.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
