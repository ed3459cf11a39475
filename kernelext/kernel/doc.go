// Package kernel is the DDPS kernel of Jupyter: a Go process that owns the five sockets of the protocol, answers
// itself what it can, and has GoNB compile and run the cells behind it.
package kernel
