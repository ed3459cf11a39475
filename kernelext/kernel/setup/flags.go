package setup

import "strings"

// LinkFlags leaves symbols and debugging data out of cells' programs, which makes linking, the longest step, shorter.
const LinkFlags = "-ldflags=-s -w"

// CellFlags takes -mod and -modfile out of GOFLAGS.
func CellFlags(flags string) string {
	var keep []string
	for _, f := range strings.Fields(flags) {
		if name := strings.TrimLeft(f, "-"); !strings.HasPrefix(name, "mod=") && !strings.HasPrefix(name, "modfile=") {
			keep = append(keep, f)
		}
	}
	return strings.Join(keep, " ")
}
