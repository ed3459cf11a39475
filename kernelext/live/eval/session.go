package eval

import (
	"go/types"
	"maps"
	"slices"
)

// Session is a world and the names that cells have defined in it.
type Session struct {
	*World
	names   map[string]types.Object   // what cells defined
	alias   map[string]string         // what cells call packages → path
	known   map[string][]string       // names of packages that need no import → paths, the preferred one first
	dot     *types.Package            // whose names need no package
	pkg     *types.Package            // main
	decls   map[string]*declared      // functions, types and constants as they were written
	stale   map[string]string         // those that no longer compile, and why
	sourced map[string]*types.Package // packages that are code of cells
}

// keep returns what sets the names and packages that cells know back to those of now.
func (s *Session) keep() (restore func()) {
	names, alias, known := maps.Clone(s.names), maps.Clone(s.alias), maps.Clone(s.known)
	return func() { s.names, s.alias, s.known = names, alias, known }
}

// NewSession returns a session without names. The names of the package with the path dot need no package name.
func NewSession(w *World, dot string) *Session {
	s := &Session{World: w, names: map[string]types.Object{}, alias: map[string]string{}, known: map[string][]string{},
		pkg:   types.NewPackage("main", "main"),
		decls: map[string]*declared{}, stale: map[string]string{}, sourced: map[string]*types.Package{}}
	w.natives.seq = s.sequence
	for _, p := range sourcePaths() {
		s.know(p)
	}
	paths := slices.Sorted(maps.Keys(w.natives.paths))
	for _, p := range preferred() {
		if slices.Contains(paths, p) {
			s.know(p)
		}
	}
	for _, p := range paths {
		s.know(p)
	}
	if dot != "" {
		s.dot = w.natives.load(dot)
	}
	return s
}
