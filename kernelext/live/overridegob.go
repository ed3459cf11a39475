package live

import (
	"encoding/gob"
	"fmt"
	"reflect"
	"sync"
)

// overrideGob gives cells a gob.Register that takes types which were declared again, under names of their own.
func overrideGob(t map[string]reflect.Value) {
	var mu sync.Mutex
	again := map[reflect.Type]bool{}
	t["Register"] = reflect.ValueOf(func(value any) {
		typ := reflect.TypeOf(value)
		other := func() { gob.RegisterName(fmt.Sprintf("%v·%x", typ, reflect.ValueOf(typ).Pointer()), value) }
		mu.Lock()
		defer mu.Unlock()
		if again[typ] {
			other()
			return
		}
		defer func() {
			if r := recover(); r != nil {
				again[typ] = true
				other()
			}
		}()
		gob.Register(value)
	})
}
