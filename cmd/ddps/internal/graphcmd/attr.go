package graphcmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// attrVar adds --attr, which may be repeated: attributes of a graph.
func attrVar(cmd *cobra.Command, p *map[string]string) {
	*p = map[string]string{}
	cmd.Flags().Var(attrFlag(*p), "attr", "attribute of the graph, as place=Helsinki or licence=ODbL; may be repeated, "+
		"empty to leave one out")
}

// attrFlag is name=value.
type attrFlag map[string]string

func (f attrFlag) String() string { return "" }
func (f attrFlag) Type() string   { return "name=value" }
func (f attrFlag) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not name=value", s)
	}
	f[name] = value
	return nil
}

// apply sets the attributes asked for.
func (f attrFlag) apply(attr map[string]string) {
	for name, value := range f {
		if attr[name] = value; value == "" {
			delete(attr, name)
		}
	}
}
