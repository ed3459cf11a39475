// Package kernelcmd has the commands around Jupyter and the machine: kernel, artefacts, gc, repl, backend and doctor.
package kernelcmd
