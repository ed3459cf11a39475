package live

import (
	"flag"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// overrideFlag gives cells a command line of their own, without arguments, whose errors do not end the process. A flag
// that is defined again, as by a cell run again, takes the place of the first.
func overrideFlag(t map[string]reflect.Value, args *[]string, stderr io.Writer) {
	newSet := func(name string, on flag.ErrorHandling) *flag.FlagSet {
		f := flag.NewFlagSet(name, on)
		f.SetOutput(stderr)
		return f
	}
	set := newSet((*args)[0], flag.PanicOnError)
	usage := func() {
		fmt.Fprintf(set.Output(), "Usage of %s:\n", (*args)[0])
		set.PrintDefaults()
	}
	set.Usage = func() { usage() }
	for name, f := range t {
		if m, ok := reflect.TypeFor[*flag.FlagSet]().MethodByName(name); f.Kind() != reflect.Func || !ok ||
			m.Type.NumIn() != f.Type().NumIn()+1 {
			continue
		}
		t[name] = reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
			if defines(name) {
				forget(set, in[slices.IndexFunc(in, func(v reflect.Value) bool { return v.Kind() == reflect.String })].String())
			}
			return reflect.ValueOf(set).MethodByName(name).Call(in)
		})
	}
	t["CommandLine"] = reflect.ValueOf(&set).Elem()
	t["Usage"] = reflect.ValueOf(&usage).Elem()
	t["NewFlagSet"] = reflect.ValueOf(newSet)
	t["ExitOnError"] = reflect.ValueOf(flag.PanicOnError)
	t["Parse"] = reflect.ValueOf(func() {
		if err := set.Parse((*args)[1:]); err != nil {
			panic(err)
		}
	})
}

// defines reports whether a method of flag.FlagSet defines a flag.
func defines(name string) bool {
	return !slices.Contains([]string{"Arg", "Args", "Lookup", "NArg", "NFlag", "Parsed", "PrintDefaults", "Set", "Visit",
		"VisitAll"}, name)
}

// forget takes a flag out of a set.
func forget(set *flag.FlagSet, name string) {
	if set.Lookup(name) == nil {
		return
	}
	rest := flag.NewFlagSet(set.Name(), set.ErrorHandling())
	rest.SetOutput(set.Output())
	rest.Usage = set.Usage
	set.VisitAll(func(f *flag.Flag) {
		if f.Name != name {
			rest.Var(f.Value, f.Name, f.Usage)
			rest.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	*set = *rest
}
