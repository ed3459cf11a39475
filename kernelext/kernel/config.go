package kernel

import (
	"context"
	"io"
)

// Magic is a command %ddps NAME that the program adds: args stand behind the name.
type Magic struct {
	Help string // one line
	Run  func(ctx context.Context, args []string, out Output) error
}

// NewLive makes a live session. What its code writes between cells goes to out.
type NewLive func(out Output) (Live, error)

// Config says how a kernel runs.
type Config struct {
	Connection string           // the connection file that Jupyter wrote
	Dir        string           // the notebook's directory; "" is the working directory
	Program    []string         // the command line prefix of the program; %ddps ARGS runs it with ARGS
	Shim       []string         // the command line prefix that ends in a call of Shim
	Go         string           // the go command; "" looks for one
	Live       NewLive          // for %%live cells; nil refuses them
	Magics     map[string]Magic // more commands for %ddps
	Version    string           // of the program, for the banner
	Log        io.Writer        // what is dropped and why; nil is standard error
}
