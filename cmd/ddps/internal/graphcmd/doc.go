// Package graphcmd is the command ddps graph: layered graphs are made, imported, inspected, converted and drawn.
package graphcmd
