package gonb

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// Outcome is how a program that a cell ran came to its end. The shim writes it to the journal, a file of one JSON
// line each, if it was not well; the kernel reads it when the cell is over. GoNB itself calls every end a success.
type Outcome struct {
	What    string `json:"what"`              // the program: "cell", or the command line
	Line    int    `json:"line,omitempty"`    // of the cell, from 1, if it is one line that runs it
	Status  int    `json:"status,omitempty"`  // exit status
	Signal  string `json:"signal,omitempty"`  // that ended it
	Crashed bool   `json:"crashed,omitempty"` // a panic or a fatal error of Go's runtime
	Stopped bool   `json:"stopped,omitempty"` // by the kernel: an interrupt; nothing more of the cell is to run
}

// String says how it ended.
func (o Outcome) String() string {
	if o.Signal != "" {
		return "signal " + o.Signal
	}
	return fmt.Sprintf("exit status %d", o.Status)
}

// Note adds an outcome to a journal. Lines this short are written whole, whoever else writes.
func (o Outcome) Note(journal string) error {
	f, err := os.OpenFile(journal, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(jupyter.ToJSON(o), '\n'))
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}

// ReadLedger returns what a journal holds; nothing if there is none.
func ReadLedger(journal string) []Outcome {
	data, err := os.ReadFile(journal)
	if err != nil {
		return nil
	}
	var list []Outcome
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var o Outcome
		if json.Unmarshal(lines.Bytes(), &o) == nil {
			list = append(list, o)
		}
	}
	return list
}

// QuoteSh quotes for a POSIX shell.
func QuoteSh(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
