package cli

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// Once makes a flag that takes one value refuse a second one, which would otherwise take the place of the first without
// a word. Switches may be repeated, and flags that collect values.
func Once(f *pflag.Flag) {
	kind := f.Value.Type()
	if _, many := f.Value.(pflag.SliceValue); many || kind == "bool" || strings.Contains(f.Usage, "may be repeated") {
		return
	}
	f.Value = &onceValue{Value: f.Value}
}

// onceValue is a flag's value that can be set once.
type onceValue struct {
	pflag.Value
	set bool
}

func (v *onceValue) Set(text string) error {
	if v.set {
		return errors.New("it is given twice, and takes one value")
	}
	v.set = true
	return v.Value.Set(text)
}
