//go:build unix

package kernel

import (
	"context"
	"regexp"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// starting is a compiler, once ready is closed: or err tells why there is none.
type starting struct {
	ready chan struct{}
	gonb  *gonb.Compiler
	err   error
}

// startTime is how long GoNB may take to answer.
const startTime = time.Minute

// compiler returns the compiler or its start; a new one if the last failed or died.
func (k *kernel) compiler() *starting {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.gonb; s != nil {
		select {
		case <-s.ready:
			if s.err == nil && s.gonb.Alive() {
				return s
			}
		default:
			return s
		}
	}
	s := &starting{ready: make(chan struct{})}
	k.gonb = s
	go func() {
		defer close(s.ready)
		s.gonb, s.err = k.startCompiler()
	}()
	return s
}

// compilerNow returns the compiler if it runs.
func (k *kernel) compilerNow() *gonb.Compiler {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gonb == nil {
		return nil
	}
	select {
	case <-k.gonb.ready:
		return k.gonb.gonb
	default:
		return nil
	}
}

// kernelID reads Jupyter's id of the kernel from the connection file's name.
var kernelID = regexp.MustCompile(`kernel-([0-9a-f-]+)\.json$`)

func (k *kernel) startCompiler() (*gonb.Compiler, error) {
	tools, err := setup.FindTools(k.Go, k.Shim)
	if err != nil {
		return nil, err
	}
	module, err := setup.FindModule(k.Dir)
	if err != nil {
		return nil, err
	}
	l := gonb.Launch{Scratch: k.scratch, Tools: tools, Module: module, Dir: k.Dir, Key: k.conn.Key, Id: k.id}
	ctx, cancel := context.WithTimeout(k.ctx, startTime)
	defer cancel()
	g, err := gonb.StartCompiler(ctx, l, k.sign, k.fromShell, k.fromStdin, k.fromIOPub)
	if err != nil {
		return nil, err
	}
	g.Mark, g.Module, g.GoTool = l.Mark(), module, tools.Go
	setUp := jupyter.Compose(k.session, "execute_request", nil, jupyter.ExecuteRequest{Code: "%noautoget\n%goflags \"" +
		setup.LinkFlags + "\"", Silent: true}.Whole())
	setUp.Ids = [][]byte{[]byte("set-up")}
	if _, err := k.ask(ctx, g, setUp, func(*jupyter.Message) {}); err != nil {
		g.End()
		return nil, err
	}
	k.mu.Lock()
	k.numbers, k.gonbs, k.late = map[int]int{}, 0, ""
	k.mu.Unlock()
	return g, nil
}

func (k *kernel) endCompiler() {
	k.mu.Lock()
	s := k.gonb
	k.mu.Unlock()
	if s == nil {
		return
	}
	<-s.ready
	if s.gonb != nil {
		s.gonb.End()
	}
}
