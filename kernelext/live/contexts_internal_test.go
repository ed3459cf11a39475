package live

import (
	"context"
	"testing"
)

// Contexts for library calls end with an interrupt, keep their values, and are not made anew for each call.
func TestInterruptible(t *testing.T) {
	s, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	type key struct{}
	parent, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, 1))
	defer cancel()
	one, two := s.interruptible(parent), s.interruptible(parent)
	if one != two {
		t.Error("two calls with one context have two")
	}
	plain := s.interruptible(context.WithValue(context.Background(), key{}, 1))
	for _, ctx := range []context.Context{one, plain} {
		if ctx.Err() != nil || ctx.Value(key{}) != 1 {
			t.Errorf("error %v, value %v", ctx.Err(), ctx.Value(key{}))
		}
	}
	s.Stop()
	<-one.Done()
	<-plain.Done()
}
