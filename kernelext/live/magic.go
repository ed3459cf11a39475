package live

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/ddps-go/ddps/kernelext"
)

// magic carries out the lines of a cell that start with %, and returns the cell with empty lines in their place. timed
// says that the time which the rest takes is wanted.
//
//	%who             what cells have defined, with types and sizes
//	%env NAME=VALUE  sets a variable of the environment; %env NAME shows it
//	%cd DIRECTORY    changes the working directory
//	%%time           how long the rest of the cell took
//	%%timeit         how long it takes, of many times
//	%timeit CODE     the same of one line, in a cell of its own
func (s *Session) magic(code string) (rest string, timed timing, err error) {
	if !strings.Contains(code, "%") {
		return code, untimed, nil
	}
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if !strings.HasPrefix(line, "%") {
			break
		}
		lines[i] = ""
		name, arg, _ := strings.Cut(line, " ")
		arg = strings.TrimSpace(arg)
		switch name {
		case "%who":
			s.who()
		case "%env", "%cd":
			err = s.set(line, arg)
		case "%%time":
			timed = once
		case "%%timeit":
			timed = many
		case "%timeit":
			timed, lines[i] = many, arg
			if arg == "" || strings.TrimSpace(strings.Join(lines[i+1:], "")) != "" {
				err = errors.New("%timeit CODE stands in a cell of its own; " +
					"%%timeit, on a line of its own, is for the code below it")
			}
		default:
			err = fmt.Errorf("%s is unknown in live cells; there are %%who, %%env, %%cd, %%timeit, %%%%time and %%%%timeit",
				name)
		}
		if err != nil {
			return "", untimed, &Error{Name: "error", Message: err.Error(), Err: err, line: i + 1}
		}
		if name == "%timeit" {
			break
		}
	}
	return strings.Join(lines, "\n"), timed, nil
}

// set carries out a line %env or %cd; without a value it shows what there is.
func (s *Session) set(line, arg string) error {
	if set, ok := kernelext.ParseSetting(line); ok {
		return set.Apply()
	}
	text := os.Getenv(arg)
	if strings.HasPrefix(line, "%cd") {
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		text = dir
	}
	_, err := fmt.Fprintln(s.out.Stdout(), text)
	return err
}

// who shows the variables, functions and types of the session.
func (s *Session) who() {
	t := kernelext.NewTable("name", "type", "size", "value")
	for _, name := range s.es.Names() {
		v := s.es.Value(name)
		if !v.IsValid() {
			kind, text, _ := strings.Cut(s.inspectOwn(name), " ")
			t.Add(name, kind, "", brief(strings.TrimPrefix(text, name)))
			continue
		}
		text := fmt.Sprintf("a value of type %s that holds itself", v.Type())
		if !cyclic(v.Interface()) {
			text = brief(fmt.Sprint(v.Interface()))
		}
		t.Add(name, strings.ReplaceAll(v.Type().String(), "main.", ""), size(v), text)
	}
	data, metadata := kernelext.Bundle(t)
	s.out.Display(data, metadata, "", false)
}

// brief is the first line of a text, at most 60 characters of it.
func brief(text string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	if more && rest != "" {
		line += " …"
	}
	return line
}

// size is the number of elements of what has some.
func size(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.Chan, reflect.String:
		return fmt.Sprint(v.Len())
	}
	return ""
}
