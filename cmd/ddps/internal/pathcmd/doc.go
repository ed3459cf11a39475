// Package pathcmd is the command ddps paths: paths are counted, drawn, imported, listed, split and converted.
package pathcmd
