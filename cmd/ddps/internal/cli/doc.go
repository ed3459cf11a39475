// Package cli is what the commands of ddps share: the streams and global flags (App), flags with checks and completion,
// the reading of graphs, paths and rewards that arguments name, outputs that are written whole or not at all, progress,
// tables, numbers as text, and errors as one line.
package cli
