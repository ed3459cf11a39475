package kernelcmd

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/kernelext/kernel"
	"github.com/ddps-go/ddps/kernelext/live"
)

// newLive returns the interpreter for %%live cells.
func newLive() kernel.NewLive {
	return func(out kernel.Output) (kernel.Live, error) { return live.New(out) }
}

// kernelMagics are the lines %ddps that are no command of the program.
func kernelMagics() map[string]kernel.Magic {
	return map[string]kernel.Magic{
		"backend": {Help: "[NAME…]  whether backends for training work: go, go:large, xla:cpu, auto, …", Run: backendMagic},
	}
}

// backendMagic tries the backends named.
func backendMagic(_ context.Context, names []string, out kernel.Output) error {
	if len(names) == 0 {
		names = []string{"go", "go:large", "auto"}
	}
	failed := 0
	for _, name := range names {
		note, err := model.CheckBackend(name)
		if err != nil {
			note = cli.Message(err)
			failed++
		}
		fmt.Fprintf(out.Stdout(), "%-10s %s\n", name, note)
	}
	if failed == len(names) {
		return fmt.Errorf("none of these works")
	}
	return nil
}
