// Package repl is the live session in a terminal.
//
//	repl.go      the loop: a line or more in, results out
//	command.go   :help and the other commands
//	history.go   lines kept across runs
//	screen.go    the Output of a terminal: progress and places that replace themselves
//	input.go     lines of a script, and what code reads
//	picture.go   figures by kitty's graphics protocol, or in half blocks
//	script.go    files and pipes
//
// Line editing is github.com/reeflective/readline.
package repl
