package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
)

var regenCLI = flag.Bool("regen-cli", false, "write docs/cli.md")

// docs/cli.md is what the program's help says.
func TestCLIDoc(t *testing.T) {
	path, want := filepath.Join("..", "..", "docs", "cli.md"), cliDoc(t)
	if *regenCLI {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/cli.md is not what the help says (%v): run go test ./cmd/ddps -run CLIDoc -regen-cli", err)
	}
}

// cliDoc returns a table of all commands and the help of each.
func cliDoc(t *testing.T) []byte {
	var table, texts strings.Builder
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		if c.Runnable() && c.HasParent() {
			name := c.CommandPath()
			fmt.Fprintf(&table, "| [`%s`](#%s) | %s |\n", name, strings.ReplaceAll(strings.ReplaceAll(name, ":", ""), " ", "-"),
				c.Short)
			var help bytes.Buffer
			c.SetOut(&help)
			if err := c.Help(); err != nil {
				t.Fatal(err)
			}
			text := strings.TrimSpace(help.String())
			if strings.Contains(text, "%!") {
				t.Errorf("%s: a stray format verb in its help", name)
			}
			fmt.Fprintf(&texts, "\n## %s\n\n```\n%s\n```\n", name, text)
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&cli.App{Stdout: io.Discard, Stderr: io.Discard}))
	return []byte("# Commands\n\nWritten by `go test ./cmd/ddps -run CLIDoc -regen-cli`. `ddps completion " +
		"bash|zsh|fish|powershell` gives completion.\n\n" +
		"| command | what it does |\n|---|---|\n" + table.String() + texts.String())
}
