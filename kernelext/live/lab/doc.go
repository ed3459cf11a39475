// Package lab is the project in short names, for notebook cells and the prompt.
package lab
