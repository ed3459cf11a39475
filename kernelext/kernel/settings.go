//go:build unix

package kernel

import (
	"fmt"
	"os"
	"strings"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// settings are what %env and %cd set in cells of either kind. Live cells run in this process, compiled ones below the
// compiler's: it is given what it does not have.
type settings struct {
	list []kernelext.Setting
	told int // how many of list the compiler has
	to   *gonb.Compiler
}

// set carries out the lines %env and %cd of a compiled cell in this process, and makes those to directories absolute.
func (k *kernel) set(c cells.Cell, out *screen) *jupyter.Failure {
	for i, line := range c.Lines {
		line = strings.TrimSpace(cells.Trimmed(line))
		s, ok := kernelext.ParseSetting(line)
		if name, show := strings.CutPrefix(line, "%env "); show && !ok {
			fmt.Fprintln(out.Stdout(), os.Getenv(strings.TrimSpace(name)))
			c.Lines[i] = ""
		}
		if !ok {
			continue
		}
		if err := s.Apply(); err != nil {
			return fail(nameMagic, fmt.Sprintf("line %d: %v", i+1, err))
		}
		k.settings.list = append(k.settings.list, s)
		c.Lines[i] = s.String()
	}
	return nil
}

// noteSettings remembers what the first lines of a live cell, which is over, have set.
func (k *kernel) noteSettings(code string) {
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '%' {
			return
		}
		s, ok := kernelext.ParseSetting(line)
		if !ok {
			continue
		}
		if s.Name == "" {
			if dir, err := os.Getwd(); err == nil {
				s.Value = dir
			}
		}
		k.settings.list = append(k.settings.list, s)
	}
}

// settle gives a compiler the settings that it does not have.
func (k *kernel) settle(g *gonb.Compiler) error {
	if k.settings.to != g {
		k.settings.to, k.settings.told = g, 0
	}
	for ; k.settings.told < len(k.settings.list); k.settings.told++ {
		code := k.settings.list[k.settings.told].String()
		m := jupyter.Compose(k.session, "execute_request", nil, jupyter.ExecuteRequest{Code: code, Silent: true}.Whole())
		m.Ids = [][]byte{[]byte("set")}
		if _, err := k.ask(k.ctx, g, m, func(*jupyter.Message) {}); err != nil {
			return err
		}
	}
	return nil
}
