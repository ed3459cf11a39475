package live

import (
	"context"
	_ "embed" // for moreSlices
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/live/symbols"
)

//go:embed slices.go.txt
var moreSlices string

const labPath = "github.com/ddps-go/ddps/kernelext/live/lab"

// Session is an interpreter session. Its methods are safe for concurrent use; cells run one at a time.
type Session struct {
	busy    chan struct{} // holds one token while a cell runs
	out     *switchboard
	mu      sync.Mutex
	ctx     context.Context             // of all that cells began since the last interrupt
	end     context.CancelFunc          // of ctx
	calls   atomic.Uint64               // of functions of cells
	stop    atomic.Pointer[func(error)] // ends what runs
	working atomic.Bool                 // a cell is at work
	stray   atomic.Pointer[Error]       // the first panic beside it
	state                               // guarded by busy
}

// state is what Reset makes anew.
type state struct {
	in      *interp.Interpreter
	brake   *brake
	tables  interp.Exports
	names   names
	pkgName map[string]string // path → name
	anchor  token.Pos         // a position in a file called base
	cells   int
	temps   int
	loops   []intRange // of the cell at work
	kept    func(values ...any)
	labels  map[*ast.RangeStmt]*ast.LabeledStmt
}

// New returns a session. What code writes between cells goes to out.
func New(out kernelext.Output) (*Session, error) {
	s := &Session{busy: make(chan struct{}, 1), out: &switchboard{to: out}, end: func() {}}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	return s, nil
}

// Reset forgets all values and definitions. It does not wait for a cell that runs on: interrupt that first.
func (s *Session) Reset() {
	select {
	case s.busy <- struct{}{}:
	default:
		s.busy = make(chan struct{}, 1)
		s.busy <- struct{}{}
	}
	defer func() { <-s.busy }()
	if err := s.start(); err != nil {
		panic(fmt.Errorf("live: %w", err)) // it could start before, so it can now
	}
}

// Context returns the context of what cells do, also beside and after them. An interrupt ends it.
func (s *Session) Context() context.Context {
	ctx, _ := s.calm()
	return ctx
}

// calm returns the context of what cells do, a new one if the last was ended, and what ends it.
func (s *Session) calm() (context.Context, context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil || s.ctx.Err() != nil && !s.working.Load() {
		s.ctx, s.end = context.WithCancel(context.Background())
	}
	return s.ctx, s.end
}

// start makes a fresh interpreter.
func (s *Session) start() error {
	tables := symbols.Tables()
	s.override(tables)
	st := state{tables: tables, pkgName: map[string]string{}}
	st.in = interp.New(interp.Options{Stdout: s.out.Stdout(), Stderr: s.out.interpreter(), Unrestricted: true, Args: []string{"live"}})
	if err := st.in.Use(tables); err != nil {
		return err
	}
	if _, err := st.in.Compile(moreSlices); err != nil {
		return err
	}
	show, gave := reflect.ValueOf(s.show), reflect.ValueOf(s.gave)
	types := []reflect.Type{reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer]()}
	methods := map[reflect.Value][]reflect.Type{show: types, gave: types}
	inner := map[string]reflect.Value{
		showName:  show,
		gaveName:  gave,
		checkName: reflect.ValueOf(s.check),
		keepName:  reflect.ValueOf(func(values ...any) { s.kept(values...) }),
		enterName: reflect.ValueOf(s.enter),
		leaveName: reflect.ValueOf(s.out.leave),
		goName:    reflect.ValueOf(s.background),
	}
	if err := st.in.Use(interp.Exports{"ddps/session/session": inner, ".": {"MapTypes": reflect.ValueOf(methods)}}); err != nil {
		return err
	}
	st.names = newNames(tables)
	for _, p := range []string{"cmp", "maps", "slices"} {
		st.pkgName[p] = p
	}
	for k, table := range tables {
		st.pkgName[path.Dir(k)] = path.Base(k)
		if path.Dir(k) == labPath {
			for name := range table {
				st.names.facade[name] = true
			}
		}
	}
	file := st.in.FileSet().AddFile("0/"+base, -1, 1)
	st.anchor = file.Pos(0)
	s.state = st
	for _, p := range []string{"ddps/session", labPath} {
		if err := s.importDot(p); err != nil {
			return err
		}
	}
	nothing, err := s.compile(&ast.BlockStmt{Lbrace: st.anchor, Rbrace: st.anchor})
	if err != nil {
		return err
	}
	s.brake, err = newBrake(s.in, nothing)
	return err
}

func (s *Session) importDot(p string) error {
	f := &ast.File{Package: s.anchor, Name: ast.NewIdent("main"), Decls: []ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{
		&ast.ImportSpec{Name: ast.NewIdent("."), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(p)}}}}}}
	_, err := s.compile(f)
	return err
}

func (s *Session) fset() *token.FileSet { return s.in.FileSet() }

// Eval runs a cell. What it writes and shows goes to out, its last expression too. The error is an *Error, or
// wraps ErrInterrupted if ctx ended it, or is ErrBusy.
func (s *Session) Eval(ctx context.Context, code string, out kernelext.Output) error {
	return s.EvalCell(ctx, 0, code, out)
}

// EvalCell is Eval of a cell that its user knows by a number, from 1, which tracebacks name; 0 numbers it by itself.
func (s *Session) EvalCell(ctx context.Context, number int, code string, out kernelext.Output) error {
	select {
	case s.busy <- struct{}{}:
	case <-ctx.Done():
		s.Stop()
		return &Error{Name: "interrupted", Message: ErrBusy.Error(), Err: ErrBusy}
	}
	_, end := s.calm()
	unhook := context.AfterFunc(ctx, end)
	defer func() {
		if !unhook() {
			end() // for certain, before another cell begins
		}
	}()
	s.out.set(out)
	busy := s.busy
	done := make(chan error, 1)
	go func() {
		err := s.eval(ctx, number, code)
		<-busy // first: whoever hears of the end finds the session free
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-after(Grace):
		return &Error{Name: "interrupted", Message: ErrBusy.Error(), Err: ErrBusy}
	}
}

// eval runs a cell while the session is held.
func (s *Session) eval(ctx context.Context, number int, code string) error {
	if s.cells++; number > 0 {
		s.cells = number
	}
	s.stray.Store(nil)
	s.working.Store(true)
	defer s.working.Store(false)
	items, err := s.read(code)
	if err != nil {
		return fail(err, 0, nil)
	}
	defined := map[string]bool{}
	for _, it := range items {
		for _, n := range it.defines {
			defined[n] = true
		}
	}
	for _, it := range items {
		if it.imports != nil {
			if err := s.imported(it); err != nil {
				return err
			}
		}
	}
	for _, it := range items { // before anything runs
		if err := s.resolve(it, defined); err != nil {
			return fail(err, it.line, nil)
		}
	}
	var last *item
	if n := len(items); n > 0 {
		last = items[n-1]
	}
	for _, it := range merge(order(items)) {
		if err := s.do(ctx, it, it == last); err != nil {
			if ctx.Err() != nil {
				return &Error{Name: "interrupted", Message: "interrupted", Err: fmt.Errorf("%w: %w", ErrInterrupted, ctx.Err()), line: it.line}
			}
			return fail(err, it.line, s.out.end())
		}
	}
	if e := s.stray.Load(); e != nil {
		return fail(e, items[0].line, nil)
	}
	return nil
}

// read parses a cell and rewrites it.
func (s *Session) read(code string) ([]*item, error) {
	var items []*item
	for _, c := range split(code) {
		it, err := parse(s.fset(), strconv.Itoa(s.cells)+"/"+base, c)
		if err != nil {
			e := fail(err, c.line, nil)
			e.line = min(e.line, c.line+strings.Count(c.text, "\n")) // what is missing at the end
			return nil, e
		}
		items = append(items, it)
	}
	r := &rewriter{must: !s.names.own[mustName], n: &s.temps, labels: map[*ast.RangeStmt]*ast.LabeledStmt{}}
	r.line = func(pos token.Pos) int { return s.fset().Position(pos).Line }
	r.function = func(name string, block bool) int { return s.out.register(function{name, s.cells, block}) }
	var bad error
	r.err = func(pos token.Pos, msg string) {
		if bad == nil {
			bad = &Error{Name: "compile error", Message: msg, line: s.fset().Position(pos).Line}
		}
	}
	for _, it := range items {
		if slices.Contains(it.defines, mustName) {
			r.must = false
		}
	}
	var out, calls []*item
	for _, it := range items {
		if it.entry != nil { // the interpreter would call it again and again
			id := r.temp(it.entry.Name.Name, it.entry.Name.Pos())
			it.entry.Name = id
			calls = append(calls, it.before([]ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: use(id), Lparen: id.NamePos, Rparen: id.NamePos}}}))
		}
		out = append(out, r.item(it)...)
	}
	out = append(out, calls...)
	s.loops, s.labels = r.loops, r.labels
	return out, bad
}

// do runs one item, and shows its value if it is the last of the cell and an expression.
func (s *Session) do(ctx context.Context, it *item, last bool) error {
	if it.node == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if e := s.stray.Load(); e != nil {
		return e
	}
	if err := s.methods(it); err != nil {
		return err
	}
	s.retype(it)
	s.rename(it)
	if it.byValue {
		s.define(it)
		return s.keep(ctx, definition(it))
	}
	p, err := s.program(it, last)
	if a := definition(it); a != nil && err != nil && beyond(err) {
		s.define(it)
		return s.keep(ctx, a)
	}
	if err != nil {
		return err
	}
	s.define(it)
	if err := s.execute(ctx, p); err != nil {
		return err
	}
	return ctx.Err()
}

// program compiles an item; an expression at a cell's end in the form that shows it, if it has a value.
func (s *Session) program(it *item, last bool) (*interp.Program, error) {
	if last && it.expr != nil && !silent(it.expr) {
		pos, name := it.expr.Pos(), showName
		if _, ok := it.expr.(*ast.CallExpr); ok {
			name = gaveName
		}
		show := &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: call(name, pos, it.expr)}}, Rbrace: it.expr.End()}
		if p, err := s.compileLoops(show); err == nil {
			return p, nil
		}
	}
	return s.compileLoops(it.node)
}
