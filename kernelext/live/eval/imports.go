package eval

import (
	"go/ast"
	"go/types"
	"strconv"
)

func (c *Cell) imported(it *item) error {
	for _, spec := range it.imports {
		spec := spec.(*ast.ImportSpec)
		p, err := strconv.Unquote(spec.Path.Value)
		line := c.u.fset.Position(spec.Pos()).Line
		pkg, _ := c.s.Import(p)
		if err != nil || pkg == nil {
			return &Failure{"compile error", "import " + spec.Path.Value + ": live cells know some packages only; use a " +
				"compiled cell for others (without %%live)", line}
		}
		name := pkg.Name()
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch name {
		case "_":
		case ".":
			if pkg != c.s.dot {
				return &Failure{"compile error", "import . is not for live cells; use a compiled cell (without %%live)", line}
			}
		default:
			c.src.imports[name] = p
		}
	}
	return nil
}

// Import returns a package that cells can import, nil if there is none.
func (s *Session) Import(p string) (*types.Package, error) {
	if pkg := s.sourcePackage(p); pkg != nil {
		return pkg, nil
	}
	if pkg := s.natives.load(p); pkg != nil {
		return pkg, nil
	}
	return nil, &Failure{Kind: "compile error", Message: "import " + strconv.Quote(p) +
		": live cells know some packages only"}
}
