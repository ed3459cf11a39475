// Package kernelext holds all that touches Jupyter or a terminal. What stands here itself serves compiled notebook
// cells and live ones alike: figures, tables, progress and controls that show themselves.
package kernelext
