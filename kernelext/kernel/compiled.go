//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// compiled has GoNB build and run a cell.
func (k *kernel) compiled(ctx context.Context, m *jupyter.Message, r jupyter.ExecuteRequest, c cells.Cell,
	out *screen) *jupyter.Failure {
	var err error
	if r.Code, err = c.WithValues().Rewrite(k.scratch.In("bin", "run")); err != nil {
		return fail(nameMagic, err.Error())
	}
	if err := k.inputs(c, r.AllowStdin); err != nil {
		return fail(nameMagic, err.Error())
	}
	if c.Waits() {
		//nolint:errcheck // to the screen
		fmt.Fprintln(out.Stderr(), "note: what a program reads is asked for when it calls gonbui.RequestInput(prompt, "+
			"false); live cells (%%live) ask by themselves")
	}
	s := k.compiler()
	select {
	case <-s.ready:
	case <-ctx.Done():
		return endFailure(gonb.Outcome{Stopped: true}, "")
	}
	if s.err != nil {
		return fail(nameKernel, s.err.Error())
	}
	if err := k.settle(s.gonb); err != nil {
		return fail(nameKernel, err.Error())
	}
	k.mu.Lock()
	if *r.StoreHistory {
		k.gonbs++
		k.numbers[k.gonbs] = k.number()
	}
	if k.running != nil {
		k.running.compiled = true
	}
	k.mu.Unlock()
	if c.Resets() {
		if live, err := k.live(); err == nil {
			k.controls.endLive()
			live.Reset()
		}
	}
	send := *m
	send.Content = jupyter.ToJSON(r)
	out.mark = s.gonb.Mark
	reply, err := k.ask(k.ctx, s.gonb, &send, out.take)
	if err != nil {
		return fail(nameKernel, err.Error())
	}
	return k.judge(reply, out)
}

// inputs lets what the cell runs read what the user types, if the cell asks for that; all else reads nothing.
func (k *kernel) inputs(c cells.Cell, allowed bool) error {
	line := c.AsksInput()
	switch {
	case line == 0:
		if err := os.Remove(k.scratch.Inputs()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	case !allowed:
		return fmt.Errorf("line %d: nobody is there to type: this front end takes no input", line)
	}
	return os.WriteFile(k.scratch.Inputs(), nil, 0o600)
}

// judge tells from GoNB's reply, the journal and what was on the screen whether a cell failed, and how.
func (k *kernel) judge(reply *jupyter.Message, out *screen) *jupyter.Failure {
	ended := out.endLine()
	if list := gonb.ReadLedger(k.scratch.Journal()); len(list) > 0 {
		for _, o := range list {
			if o.Stopped {
				return endFailure(o, "")
			}
		}
		if list[0].Crashed {
			return k.notebook().crash(out.crash.String())
		}
		return endFailure(list[0], out.said)
	}
	var f struct {
		Status string `json:"status"`
		jupyter.Failure
	}
	if err := json.Unmarshal(reply.Content, &f); err != nil {
		return fail(nameKernel, err.Error())
	}
	switch {
	case f.Status == "error" && strings.Contains(f.Value, "executing special commands"):
		return fail(nameMagic, strings.TrimPrefix(firstLine(f.Value), "executing special commands in cell: "))
	case f.Status == "error":
		return k.notebook().compile(f.Failure)
	case strings.Contains(ended, "signal: "): // the shim itself was killed
		return fail(nameExit, strings.TrimSpace(ended))
	}
	out.giveEnd(ended)
	return nil
}

// notebook is what is known of the cells and of the program that GoNB made of them last.
func (k *kernel) notebook() notebook {
	b := notebook{number: func(gonb int) int {
		k.mu.Lock()
		defer k.mu.Unlock()
		if n, ok := k.numbers[gonb]; ok {
			return n
		}
		return gonb
	}, cells: k.history.All()}
	if files, _ := filepath.Glob(k.scratch.In("gonb_*", "main*.go")); len(files) > 0 {
		text, _ := os.ReadFile(files[len(files)-1])
		b.program = string(text)
	}
	return b
}
