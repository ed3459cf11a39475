package live

import (
	"fmt"
	"reflect"
	"time"

	"github.com/traefik/yaegi/interp"

	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// override puts in the tables what cells must see differently from programs: streams, what ends a program, what
// waits, and the facade's functions that belong to this session.
func (s *Session) override(t interp.Exports) {
	stdout, stderr := s.out.Stdout(), s.out.Stderr()
	t["os/os"]["Stdout"] = reflect.ValueOf(&stdout).Elem()
	t["os/os"]["Stderr"] = reflect.ValueOf(&stderr).Elem()
	t["os/os"]["Exit"] = reflect.ValueOf(func(code int) { panic(fmt.Errorf("os.Exit(%d): a live cell does not end the session", code)) })
	t["time/time"]["Sleep"] = reflect.ValueOf(s.sleep)
	t["context/context"]["Background"] = reflect.ValueOf(s.Context)
	t["context/context"]["TODO"] = reflect.ValueOf(s.Context)
	l := reflect.ValueOf(lab.New(s.Context, s.out, s.exclusive))
	table := t[labPath+"/lab"]
	for i := range l.NumMethod() {
		table[l.Type().Method(i).Name] = l.Method(i)
	}
	delete(table, "New")
}

func after(d time.Duration) <-chan time.Time { return time.After(d) }
