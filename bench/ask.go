package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ask is a request to an engine: a JSON object a line.
type ask struct {
	Op      string `json:"op"`     // hello, check, sample, train; of the Go engines also learn, fidelity
	Case    string `json:"case"`   // directory of the case
	Kernel  string `json:"kernel"` // austin, joint
	Batch   int    `json:"batch"`
	Threads int    `json:"threads"`
	Steps   int    `json:"steps"` // of the sampler
	Limit   int    `json:"limit"` // take so many of them, 0: all
	N       int    `json:"n"`     // paths at least; training steps
}

// answer is what comes back. Count is of path-steps or examples.
type answer struct {
	Error   string  `json:"error,omitempty"`
	Note    string  `json:"note,omitempty"`
	Count   float64 `json:"count"`
	Seconds float64 `json:"seconds"` // by the clock on the wall
	CPU     float64 `json:"cpu"`     // of the process, all threads
	RSS     float64 `json:"rss"`     // greatest resident size of the process so far, bytes
	OutDiff float64 `json:"out_diff"`
	PiDiff  float64 `json:"pi_diff"`
	L1      float64 `json:"l1"`
	Floor   float64 `json:"floor"`
}

// The engines. The native ones are the same program with fewer of the CPU's instructions.
const (
	engineNative   = "native"
	engineAVX2     = "native, AVX2"
	enginePlain    = "native, plain Go"
	engineBefore   = "before"
	engineXLA      = "GoMLX, XLA"
	engineGoMLX    = "GoMLX, Go"
	engineEager    = "PyTorch, eager"
	engineNarrow   = "PyTorch, eager, AVX2"
	engineCompiled = "PyTorch, compiled"
)

// peer is an engine's process.
type peer struct {
	engine string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	note   string
}

// workshop is where the engines are built, and what they lack.
type workshop struct {
	dir     string            // of programs, the Python environment, cases and results
	lacking map[string]string // by engine, why it cannot run
	env     []string
	before  string          // directory of the programs of an earlier revision; "" for none
	absent  map[string]bool // engines with nothing to show: another is the same here, or they were not given
}

// limits returns the environment that keeps an engine from some of the CPU's instructions.
func limits(engine string) []string {
	switch engine {
	case engineAVX2:
		return []string{godebug("cpu.avx512f=off")}
	case enginePlain:
		return []string{godebug("cpu.avx2=off")}
	case engineNarrow:
		return []string{"ATEN_CPU_CAPABILITY=avx2", "MKL_ENABLE_INSTRUCTIONS=AVX2", "ONEDNN_MAX_CPU_ISA=AVX2"}
	}
	return nil
}

// present returns those of the engines that have something to show.
func (w *workshop) present(engines []string) []string {
	return slices.DeleteFunc(slices.Clone(engines), func(e string) bool { return w.absent[e] })
}

// command returns what starts an engine on so many threads.
func (w *workshop) command(engine string, threads int) []string {
	worker := func(program, backend string) []string {
		return []string{filepath.Join(w.dir, program), "worker", backend, strconv.Itoa(threads)}
	}
	python := func(mode string) []string {
		return []string{filepath.Join(w.dir, "torch", "bin", "python"), filepath.Join("bench", "torch", "worker.py"), mode,
			strconv.Itoa(threads)}
	}
	switch engine {
	case engineNative, engineAVX2, enginePlain:
		return worker("bench-native", "native")
	case engineBefore:
		return []string{filepath.Join(w.before, "bench"), "worker", "native", strconv.Itoa(threads)}
	case engineXLA:
		return worker("bench-xla", "xla:cpu")
	case engineGoMLX:
		return worker("bench-native", "go:large")
	case engineEager, engineNarrow:
		return python("eager")
	}
	return python("compiled")
}

// start starts an engine, kept to as many CPUs as it has threads where the system can do that.
func (w *workshop) start(engine string, threads int) (*peer, error) {
	if why := w.lacking[engine]; why != "" {
		return nil, errors.New(why)
	}
	args := w.command(engine, threads)
	if pin, err := exec.LookPath("taskset"); err == nil {
		args = append([]string{pin, "-c", "0-" + strconv.Itoa(threads-1)}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = slices.Concat(os.Environ(), w.env, limits(engine), []string{"OMP_NUM_THREADS=" + strconv.Itoa(threads)})
	log, err := os.OpenFile(filepath.Join(w.dir, "engines.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stderr = log
	p := &peer{engine: engine, cmd: cmd}
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	hello, err := p.ask(ask{Op: "hello"})
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("%s does not start (see engines.log): %w", engine, err)
	}
	p.note = hello.Note
	return p, nil
}

// godebug returns the GODEBUG of this process with another setting.
func godebug(setting string) string {
	return "GODEBUG=" + strings.Trim(os.Getenv("GODEBUG")+","+setting, ",")
}

// ask sends a request and waits for the answer; an answer that is an error is one.
func (p *peer) ask(q ask) (answer, error) {
	var a answer
	line, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return a, err
	}
	reply, err := p.out.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("the process ended: %w", err)
	}
	if err := json.Unmarshal(reply, &a); err != nil {
		return a, fmt.Errorf("answer %q: %w", reply, err)
	}
	if a.Error != "" {
		return a, errors.New(strings.SplitN(a.Error, "\n", 2)[0])
	}
	return a, nil
}

// stop ends the process.
func (p *peer) stop() {
	p.in.Close()
	p.cmd.Wait()
}
