package kernel

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
)

// notebook knows where lines of the program that GoNB made of the cells come from.
type notebook struct {
	number  func(gonb int) int // the kernel's number of a cell that GoNB numbered; GoNB does not see all cells
	program string             // GoNB's main.go
	cells   []cells.Entry      // that were run, oldest first
}

// place is GoNB's way to name a line of a cell, in compile errors or in stack traces, where the line of the program
// follows.
var place = regexp.MustCompile(
	`(?:\x1b\[7m)?(?:\[\[ )?Cell ?(?:\[(\d+)\]:? )?Line (\d+)(?: \]\](?:\x1b\[0m)? *\S+\.go:(\d+)(?: \+0x[0-9a-f]+)?)?`)

// readable names places "cell [n], line k" and returns the first of them, "" if there is none. GoNB does not know the
// lines of functions: those are found by their text.
func (b notebook) readable(text string) (out, first string) {
	out = place.ReplaceAllStringFunc(text, func(s string) string {
		p := place.FindStringSubmatch(s)
		where := "line " + p[2]
		if n, err := strconv.Atoi(p[1]); err == nil {
			where = fmt.Sprintf("cell [%d], line %s", b.number(n), p[2])
		} else if p[2] == "0" {
			line, _ := strconv.Atoi(p[3])
			if where = b.find(line); where == "" {
				return "generated code"
			}
		}
		if first == "" {
			first = where
		}
		return where
	})
	return out, first
}

// find returns the place of a line of the program inside a function, "" if it is not in one. The newest cell with
// that function is meant.
func (b notebook) find(line int) string {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", b.program, parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		return ""
	}
	rows := strings.Split(b.program, "\n")
	for _, d := range f.Decls {
		from, to := fset.Position(d.Pos()).Line, fset.Position(d.End()).Line
		if _, isFunc := d.(*ast.FuncDecl); !isFunc || line < from || line > to || from > len(rows) {
			continue
		}
		head := strings.TrimSpace(rows[from-1])
		for i := len(b.cells) - 1; i >= 0; i-- {
			for j, row := range cells.New(b.cells[i].Code).Lines {
				if strings.TrimSpace(row) == head {
					return fmt.Sprintf("cell [%d], line %d", b.cells[i].Number, j+1+line-from)
				}
			}
		}
	}
	return ""
}
