package cli

import (
	"strconv"
	"strings"
	"unicode"
)

// packages are the prefixes by which the libraries' errors say where they are
// from: right in a program's log, noise on a command line.
var packages = [...]string{"ddps", "sequences", "slots", "chain", "mixture", "markov", "stack", "d3pm", "mlp", "unet",
	"gru", "model",
	"train",
	"guide", "where", "metrics", "baselines", "edpgnn", "swingnn", "datasets", "run", "compare", "study", "table1",
	"plots", "kernel",
	"backend", "probe", "plugin", "safetensors", "toml"}

// Message returns the error on one line, without the libraries' prefixes.
func Message(err error) string {
	parts := strings.Split(err.Error(), ": ")
	kept := parts[:0]
	for i, p := range parts {
		last := i == len(parts)-1
		noise := false
		for _, name := range packages {
			noise = noise || p == name && !last
		}
		if !noise {
			kept = append(kept, p)
		}
	}
	return shown(strings.ReplaceAll(strings.TrimSpace(strings.Join(kept, ": ")), "\n", "; "))
}

// shown makes control characters, which may come from a file, visible and harmless to a terminal; tabs and ends of
// lines stay.
func shown(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
