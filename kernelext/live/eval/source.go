package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// source returns where a function of cells comes from.
func (w *World) source(fn *types.Func) *source { return w.funcs.get(fn.Origin()) }

// source is a declared function or method: what to compile, and what was compiled of it.
type source struct {
	decl *ast.FuncDecl
	sig  *types.Signature
	name string
	u    *unit
	one  atomic.Pointer[code]
	mu   sync.Mutex
	many map[string]*code
	vals map[string]unsafe.Pointer
}

// code returns the code of a function with the type arguments given.
func (s *source) code(w *World, targs []types.Type) *code {
	if len(targs) == 0 {
		if cd := s.one.Load(); cd != nil {
			return cd
		}
	}
	w.compile.Lock()
	defer w.compile.Unlock()
	return s.build(w, targs)
}

func (s *source) build(w *World, targs []types.Type) *code {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := ""
	sub := subst{}
	params := s.sig.TypeParams()
	if params.Len() == 0 {
		params = s.sig.RecvTypeParams()
	}
	for i, t := range targs {
		key += strconv.FormatUint(uint64(uintptr(unsafe.Pointer(rtype.Of(w.types.rt(t))))), 36) + ","
		sub[params.At(i)] = t
	}
	if cd := s.many[key]; cd != nil {
		return cd
	}
	if s.many == nil {
		s.many = map[string]*code{}
	}
	cd := w.function(s.u, nil, sub, s.name, s.sig, s.decl.Body).cd
	s.many[key] = cd
	if len(targs) == 0 {
		s.one.Store(cd)
	}
	return cd
}

// replace gives the function a new body.
func (s *source) replace(by *source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decl, s.sig, s.u, s.many = by.decl, by.sig, by.u, nil
	s.one.Store(nil)
}

// value returns the function as a Go value.
func (s *source) value(w *World, targs []types.Type, t reflect.Type) unsafe.Pointer {
	key := t.String()
	for _, a := range targs {
		key += "," + types.TypeString(a, nil)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := s.vals[key]; p != nil {
		return p
	}
	if s.vals == nil {
		s.vals = map[string]unsafe.Pointer{}
	}
	s.vals[key] = (&closure{get: func() *code { return s.code(w, targs) }, w: w}).value(t)
	return s.vals[key]
}
