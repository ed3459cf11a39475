package eval

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// mapLocks keep goroutines of cells from using a map at once, which ends the process: what Go finds out is an error of
// the cell. Compiled code that is given a map takes no lock.
type mapLocks [64]mapLock

type mapLock struct {
	sync.RWMutex
	writes atomic.Uintptr // the map that is written to
}

// alone reports whether no other goroutine runs code of cells: one that begins is counted before.
func (w *World) alone() bool { return w.beside.Load() == 0 && w.nested.Load() == 0 }

func (w *World) mapLock(m unsafe.Pointer) *mapLock {
	return &w.maps[(uintptr(m)>>4^uintptr(m)>>12)%uintptr(len(w.maps))]
}

// read takes the lock of a map to read it.
func (l *mapLock) read(run *Run, m unsafe.Pointer) {
	if !l.TryRLock() {
		if l.writes.Load() == uintptr(m) {
			run.fail(&Fatal{"fatal error: concurrent map read and map write"})
		}
		l.RLock()
	}
}

// write takes the lock of a map to write to it.
func (l *mapLock) write(run *Run, m unsafe.Pointer) {
	if !l.TryLock() {
		if l.writes.Load() == uintptr(m) {
			run.fail(&Fatal{"fatal error: concurrent map writes"})
		}
		l.Lock()
	}
	l.writes.Store(uintptr(m))
}

func (l *mapLock) written() {
	l.writes.Store(0)
	l.Unlock()
}

// mapIndex returns m[k], invalid if it is not there.
func (th *thread) mapIndex(m, k reflect.Value) reflect.Value {
	if !th.w.alone() {
		p := m.UnsafePointer()
		l := th.w.mapLock(p)
		l.read(th.run, p)
		defer l.RUnlock()
	}
	return m.MapIndex(k)
}

// setMapIndex assigns to m[k], or deletes it if v is invalid.
func (th *thread) setMapIndex(m, k, v reflect.Value) {
	if !th.w.alone() {
		p := m.UnsafePointer()
		l := th.w.mapLock(p)
		l.write(th.run, p)
		defer l.written()
	}
	m.SetMapIndex(k, v)
}

// clearMap empties a map.
func (th *thread) clearMap(m reflect.Value) {
	if !th.w.alone() {
		p := m.UnsafePointer()
		l := th.w.mapLock(p)
		l.write(th.run, p)
		defer l.written()
	}
	m.Clear()
}

// mapNext goes on with a loop over m.
func (th *thread) mapNext(m reflect.Value, it *reflect.MapIter) bool {
	if !th.w.alone() {
		p := m.UnsafePointer()
		l := th.w.mapLock(p)
		l.read(th.run, p)
		defer l.RUnlock()
	}
	return it.Next()
}

// sharedLookup is a lookup while other goroutines are at work.
func sharedLookup[K comparable, V any](th *thread, m map[K]V, k K) (v V, ok bool) {
	p := *(*unsafe.Pointer)(unsafe.Pointer(&m))
	l := th.w.mapLock(p)
	l.read(th.run, p)
	defer l.RUnlock()
	v, ok = m[k]
	return v, ok
}
