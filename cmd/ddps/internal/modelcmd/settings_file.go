package modelcmd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/internal/names"
	"github.com/ddps-go/ddps/internal/plaintext"
	"github.com/ddps-go/ddps/internal/ram"
)

// settingsKey annotates a flag with the file that set it.
const settingsKey = "ddps_settings"

// settingsVar adds --config: a TOML file whose keys are the command's flags by their long names, for those that the
// command line does not have. Conditions in it are parsed when it is read.
func settingsVar(a *cli.App, cmd *cobra.Command) {
	var path string
	cmd.Flags().StringVar(&path, "config", "", "TOML `file` of flags, as where = 'visit(\"A\")'; those of the command "+
		"line come first")
	cli.FileFlag(cmd, "config", "toml")
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if path != "" {
			if err := readSettings(a, cmd, path); err != nil {
				return err
			}
			if err := cli.CheckInputs(cmd, args); err != nil { // of its flags, too
				return err
			}
		}
		return do(cmd, args)
	}
}

// maxSettings is the most bytes of a file of flags.
const maxSettings = 1 << 20

// readSettings sets the flags of a file.
func readSettings(a *cli.App, cmd *cobra.Command, path string) error {
	data, err := plaintext.ReadUpTo(path, maxSettings)
	if err != nil {
		return fmt.Errorf("--config %s: %w", path, cli.Reason(err))
	}
	if err := ram.CheckTOML(string(data)); err != nil {
		return fmt.Errorf("%s%w", path, err)
	}
	values := map[string]any{}
	if _, err := toml.Decode(string(data), &values); err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return fmt.Errorf("%s:%d: %s", path, parse.Position.Line, parse.Message)
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		f := cmd.Flags().Lookup(key)
		if f == nil || key == "config" || key == "help" {
			return fmt.Errorf("%s: %s is no flag of '%s'%s", path, key, cmd.CommandPath(), names.Meant(key, flagNames(cmd)))
		}
		if f.Changed {
			continue
		}
		if err := setFlag(a, cmd, path, f, values[key]); err != nil {
			return err
		}
	}
	return nil
}

// flagNames lists the flags of a command.
func flagNames(cmd *cobra.Command) (list []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { list = append(list, f.Name) })
	return list
}

// setFlag sets a flag to a value of a file, or to each of a list.
func setFlag(a *cli.App, cmd *cobra.Command, path string, f *pflag.Flag, value any) error {
	list, many := value.([]any)
	if !many {
		list = []any{value}
	}
	for _, v := range list {
		switch v.(type) {
		case string, bool, int64, float64:
		default:
			return fmt.Errorf("%s: %s: expected a text, a number, true or false", path, f.Name)
		}
		text := fmt.Sprint(v)
		if f.Name == "where" || f.Name == "given" {
			if _, err := where.Parse(text); err != nil && text != noCondition {
				return a.BadCondition(path+": "+f.Name, err)
			}
		}
		if err := cmd.Flags().Set(f.Name, text); err != nil {
			return fmt.Errorf("%s: %s: %w", path, f.Name, err)
		}
	}
	return cmd.Flags().SetAnnotation(f.Name, settingsKey, []string{path})
}

// origin names a flag in an error: --where, or the file and the key that set it.
func origin(cmd *cobra.Command, flag string) string {
	if f := cmd.Flags().Lookup(flag); f != nil && len(f.Annotations[settingsKey]) > 0 {
		return f.Annotations[settingsKey][0] + ": " + flag
	}
	return "--" + flag
}
