package eval

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// receiver returns the name of the type that a method belongs to, "" for other items.
func (it *item) receiver() (typ string, fn *ast.FuncDecl) {
	f, ok := it.node.(*ast.File)
	if !ok || it.stmt != nil {
		return "", nil
	}
	fn, ok = f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 {
		return "", nil
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name, fn
		default:
			return "", nil
		}
	}
}

// methods handles methods of types of earlier cells: one that is there with the same signature gets a new body; for
// others the type is declared anew with all its methods.
func (c *Cell) methods(own, changed map[string]bool) error {
	anew := map[string]bool{}
	for _, it := range c.src.items {
		t, fn := it.receiver()
		d := c.s.decls[t]
		if t == "" || own[t] || d == nil {
			continue
		}
		m := d.methods[t+"."+fn.Name.Name]
		c.replaces = c.replaces || m != nil
		named, _ := c.s.names[t].Type().(*types.Named)
		if m == nil || m.sig != signature(fn)+recvText(fn) || named == nil || named.TypeParams().Len() > 0 || changed[t] {
			for _, n := range d.defines { // of one declaration
				anew[n] = c.s.decls[n] == d
			}
			anew[t] = true
		}
	}
	for _, it := range slices.Clone(c.src.items) {
		t, fn := it.receiver()
		d := c.s.decls[t]
		if t == "" || own[t] || d == nil || anew[t] {
			continue
		}
		c.asFunction(it, fn, c.s.names[t].Type().(*types.Named))
	}
	maps.DeleteFunc(anew, func(_ string, is bool) bool { return !is })
	c.given = slices.Sorted(maps.Keys(anew))
	for _, t := range c.given {
		if own[t] {
			continue
		}
		d := c.s.decls[t]
		if err := c.pull(d); err != nil {
			return err
		}
		for _, n := range d.defines {
			if anew[n] {
				own[n], changed[n] = true, true
			}
		}
	}
	return nil
}

func recvText(fn *ast.FuncDecl) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), fn.Recv.List[0].Type) //nolint:errcheck // to a buffer
	return " " + b.String()
}

// asFunction turns a method into a function whose first parameter is the receiver: the new body of the method.
func (c *Cell) asFunction(it *item, fn *ast.FuncDecl, named *types.Named) {
	for i := range named.NumMethods() {
		if m := named.Method(i); m.Name() == fn.Name.Name {
			it.method, it.of = m, named.Obj().Name()
		}
	}
	params := &ast.FieldList{Opening: fn.Type.Params.Opening, Closing: fn.Type.Params.Closing}
	recv := *fn.Recv.List[0]
	if len(recv.Names) == 0 && len(fn.Type.Params.List) > 0 && len(fn.Type.Params.List[0].Names) > 0 {
		recv.Names = []*ast.Ident{{Name: "_", NamePos: recv.Type.Pos()}}
	}
	params.List = append([]*ast.Field{&recv}, fn.Type.Params.List...)
	if len(recv.Names) > 0 {
		for _, f := range params.List[1:] {
			if len(f.Names) == 0 {
				f.Names = []*ast.Ident{{Name: "_", NamePos: f.Type.Pos()}}
			}
		}
	}
	t := *fn.Type
	t.Params = params
	fn.Type, fn.Recv = &t, nil
	fn.Name = &ast.Ident{Name: named.Obj().Name() + "ᐧ" + fn.Name.Name, NamePos: fn.Name.NamePos}
}
