// Package setup installs the tools behind compiled cells and the kernelspec, and finds what may be wrong (Doctor).
package setup
