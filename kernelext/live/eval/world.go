package eval

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ddps-go/ddps/internal/ram"
	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

var (
	one     = constant.MakeInt64(1)
	errDeep = &Fatal{fmt.Sprintf("stack overflow: calls of functions nest more than %d deep, the most that a live cell "+
		"allows; a compiled cell, without %%%%live, allows more", maxDepth)}
	errNested = &Fatal{fmt.Sprintf("stack overflow: functions of cells and compiled code call each other more than %d "+
		"deep", maxNested)}
	// ErrGoexit ends a goroutine.
	ErrGoexit = errors.New("runtime.Goexit: a live cell ends by itself")
)

// Fatal is why a program would end at once: code of cells cannot recover from it.
type Fatal struct{ text string }

// Error returns the message.
func (f *Fatal) Error() string { return f.text }

// World is what the code of a session's cells works with: types, packages, variables, functions, goroutines.
type World struct {
	Stderr io.Writer
	Stray  func(value any, trace []Frame) // is called with a panic beside the cell
	// Context makes the context that a call of a library gets of the one that the cell gives it; nil: the same.
	Context func(context.Context) context.Context

	memory  int64 // of the machine, 0 if it is not known
	types   runtypes
	natives *natives
	values  *table[types.Object, reflect.Value] // of compiled packages
	bridges bridges
	globals *table[types.Object, *global]
	funcs   *table[*types.Func, *source]
	run     atomic.Pointer[Run]

	mu      sync.Mutex
	active  map[uintptr]int // goroutines that run code of cells
	trace   []Frame         // of the panic at hand
	nested  atomic.Int64    // calls from compiled code under way
	beside  atomic.Int64    // goroutines that go statements began
	unlocks sync.Mutex      // one lock is given back at a time
	maps    mapLocks
	unique  sync.Map // what package unique keeps
	compile sync.Mutex
}

// global is a variable of the session.
type global struct {
	p       unsafe.Pointer
	rt      reflect.Type
	cell    int // in which it was defined
	defined func(types.Object)
}

func (g *global) renew(rt rtype.Type, obj types.Object) { g.set(rtype.New(rt), obj, nil) }

func (g *global) set(p unsafe.Pointer, obj types.Object, _ *World) {
	g.p = p
	if g.defined != nil {
		g.defined(obj)
	}
}

// NewWorld returns a world with compiled packages.
func NewWorld(t Tables) *World {
	w := &World{values: newTable[types.Object, reflect.Value](), globals: newTable[types.Object, *global](),
		funcs:  newTable[*types.Func, *source](),
		active: map[uintptr]int{}, bridges: newBridges(), Stray: func(any, []Frame) {}, Stderr: io.Discard,
		memory: ram.Machine()}
	w.types.w, w.types.owned = w, map[reflect.Type]types.Type{}
	w.natives = newNatives(t, w.types.known)
	w.natives.values = w.values
	w.run.Store(NewRun())
	return w
}

// native returns the value of an object of a compiled package.
func (w *World) native(obj types.Object) reflect.Value { return w.values.get(obj) }

// globalFor returns the session's variable that a definition at the top of a cell makes.
func (w *World) globalFor(obj types.Object, u *unit) *global { return u.tops[obj] }

func (c *comp) instance(x ast.Expr, f ast.Expr) *expr {
	fn, targs := c.static(x)
	if fn == nil {
		panic(unsupported("this instance"))
	}
	return c.funcValue(f, fn, targs)
}

// table is a map that goroutines of cells read while a cell adds to it.
type table[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func newTable[K comparable, V any]() *table[K, V] { return &table[K, V]{m: map[K]V{}} }

func (t *table[K, V]) get(k K) V {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m[k]
}

func (t *table[K, V]) put(k K, v V) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = v
}
