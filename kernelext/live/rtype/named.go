package rtype

import (
	"go/token"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Method is a method to be: its type without the receiver, and what it does. Fn gets the receiver's address, also for
// methods of values; the value must not be changed.
type Method struct {
	Name  string
	Type  reflect.Type
	Fn    func(recv unsafe.Pointer, args []reflect.Value) []reflect.Value
	Value bool // the receiver is a value, not a pointer
}

// Named is a defined type in the making.
type Named struct {
	t, p *header
	kind reflect.Kind
	pkg  string
	name uint8 // the bit that says that it has one
}

// Type returns the defined type.
func (n *Named) Type() reflect.Type { return typeOf(n.t) }

// Declare makes a defined type of another with the layout given: the same kind and size, the same places of pointers.
// It is called str, as "main.T", and belongs to pkg. methods is how many methods it and its pointer may have.
func Declare(str, pkg string, layout reflect.Type, methods int) *Named {
	h := headerOf(layout)
	n := &Named{kind: layout.Kind(), pkg: pkg, name: flagNamed}
	if n.kind == reflect.Func {
		methods += layout.NumIn() + layout.NumOut() // see copyParams
	}
	n.t = block(kindSize(n.kind), methods)
	copy(bytesOf(n.t, kindSize(n.kind)), bytesOf(h, kindSize(n.kind)))
	n.t.flag = h.flag&^flagExtraStar | flagNamed | flagUncommon
	n.t.str = offset(unsafe.Pointer(encodeName(str, "", token.IsExported(str[strings.LastIndexByte(str, '.')+1:]), false,
		0)))
	n.t.hash = newHash(str)
	plain := headerOf(reflect.TypeFor[*int]())
	n.p = block(unsafe.Sizeof(ptrType{}), methods)
	*n.p = *plain
	n.p.flag = plain.flag&^(flagExtraStar|flagNamed) | flagUncommon
	n.p.str = offset(unsafe.Pointer(encodeName("*"+str, "", token.IsExported(str[strings.LastIndexByte(str, '.')+1:]),
		false, 0)))
	n.p.hash = newHash("*" + str)
	n.p.ptrToThis = 0
	(*ptrType)(unsafe.Pointer(n.p)).elem = n.t
	n.t.ptrToThis = offset(unsafe.Pointer(n.p))
	for _, h := range []*header{n.t, n.p} {
		u := n.uncommon(h)
		u.moff = uint32(unsafe.Sizeof(uncommon{}))
		if pkg != "" {
			u.pkgPath = offset(unsafe.Pointer(encodeName(pkg, "", false, false, 0)))
		}
	}
	return n
}

// Unname makes the type one without a name, as a struct type written out that has methods by embedding.
func (n *Named) Unname() { n.name = 0 }

// block allocates a runtime type with room for methods.
func block(size uintptr, methods int) *header {
	words := (size + unsafe.Sizeof(uncommon{}) + uintptr(methods+1)*unsafe.Sizeof(method{}) + 7) / 8
	b := make([]uintptr, words)
	made.retain(b)
	return (*header)(unsafe.Pointer(&b[0]))
}

func bytesOf(h *header, size uintptr) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(h)), size) }

func newHash(s string) uint32 {
	f := fnv.New32a()
	f.Write([]byte(s))
	made.mu.Lock()
	defer made.mu.Unlock()
	made.hash++
	return f.Sum32() + made.hash*2654435761
}

func (n *Named) uncommon(h *header) *uncommon {
	size := unsafe.Sizeof(ptrType{})
	if h == n.t {
		size = kindSize(n.kind)
	}
	return (*uncommon)(unsafe.Add(unsafe.Pointer(h), size))
}

// Define gives the type its underlying type, which may refer to it.
func (n *Named) Define(underlying reflect.Type) {
	u := headerOf(underlying)
	n.t.equal, n.t.gcData = u.equal, u.gcData
	n.t.flag = u.flag&^(flagExtraStar|flagNamed) | n.name | flagUncommon
	head, size := unsafe.Sizeof(header{}), kindSize(n.kind)
	copy(bytesOf(n.t, size)[head:], bytesOf(u, size)[head:])
	if n.kind == reflect.Func {
		n.copyParams(u)
	}
}

// copyParams copies the types of parameters and results, which stand behind the methods of a function type. Since
// their place follows from the flags, the methods' offset moves behind them.
func (n *Named) copyParams(u *header) {
	f := (*funcType)(unsafe.Pointer(u))
	count := int(f.in + f.out&0x7fff)
	from := unsafe.Sizeof(funcType{})
	if u.flag&flagUncommon != 0 {
		from += unsafe.Sizeof(uncommon{})
	}
	to := unsafe.Sizeof(funcType{}) + unsafe.Sizeof(uncommon{})
	copy(unsafe.Slice((**header)(unsafe.Add(unsafe.Pointer(n.t), to)), count),
		unsafe.Slice((**header)(unsafe.Add(unsafe.Pointer(u), from)), count))
	n.uncommon(n.t).moff = uint32(unsafe.Sizeof(uncommon{})) + uint32(count)*8
}

// SetMethods gives the type and its pointer their methods. It must be called at most once, before any value of the
// type is converted to an interface.
func (n *Named) SetMethods(list []Method) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Method) int { return compareNames(a.Name, b.Name) })
	var val, ptr []Method
	for _, m := range list {
		if m.Value {
			val = append(val, m)
		}
		ptr = append(ptr, m)
	}
	direct := n.t.flag&flagDirect != 0
	if err := n.install(n.t, val, direct); err != nil {
		return err
	}
	return n.install(n.p, ptr, false)
}

const flagDirect = 1 << 5 // a value is the data word of an interface itself

// compareNames orders methods as the runtime does: exported ones first.
func compareNames(a, b string) int {
	if x, y := token.IsExported(a), token.IsExported(b); x != y {
		if x {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

func (n *Named) install(h *header, list []Method, direct bool) error {
	u := n.uncommon(h)
	table := unsafe.Slice((*method)(unsafe.Add(unsafe.Pointer(u), u.moff)), len(list))
	u.mcount, u.xcount = 0, 0
	for i, m := range list {
		c, err := methodCode(m, direct)
		if err != nil {
			return err
		}
		exported := token.IsExported(m.Name)
		var pkg int32
		if !exported {
			pkg = offset(unsafe.Pointer(encodeName(n.pkg, "", false, false, 0)))
		}
		table[i] = method{name: offset(unsafe.Pointer(encodeName(m.Name, "", exported, false, pkg))),
			typ: offset(unsafe.Pointer(headerOf(m.Type))), ifn: addReflectOff(c)}
		table[i].tfn = table[i].ifn
		if h == n.t && !direct {
			if c, err = n.valueCode(m); err != nil {
				return err
			}
			table[i].tfn = addReflectOff(c)
		}
		u.mcount++
		if exported {
			u.xcount++
		}
	}
	return nil
}

// methodCode returns code for a method as interfaces call it: with one word as the receiver.
func methodCode(m Method, direct bool) (unsafe.Pointer, error) {
	in := []reflect.Type{reflect.TypeFor[unsafe.Pointer]()}
	for i := range m.Type.NumIn() {
		in = append(in, m.Type.In(i))
	}
	var out []reflect.Type
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	return code(reflect.MakeFunc(reflect.FuncOf(in, out, m.Type.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		recv := args[0].UnsafePointer()
		if direct {
			word := recv
			recv = unsafe.Pointer(&word)
		}
		return m.Fn(recv, args[1:])
	}))
}

// valueCode returns code for a method whose receiver is passed as a value, as package reflect's Type.Method has it.
func (n *Named) valueCode(m Method) (unsafe.Pointer, error) {
	in, out := []reflect.Type{n.Type()}, []reflect.Type{}
	for i := range m.Type.NumIn() {
		in = append(in, m.Type.In(i))
	}
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	return code(reflect.MakeFunc(reflect.FuncOf(in, out, m.Type.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		recv := reflect.New(n.Type())
		recv.Elem().Set(args[0])
		return m.Fn(recv.UnsafePointer(), args[1:])
	}))
}
