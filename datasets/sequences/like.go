package sequences

import (
	"bytes"
	"io"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/datasets/internal/xes"
)

// Like reports whether a file that begins with head is of walks rather than a graph: any text but GraphML, DOT and an
// object of JSON that is over several lines, has layers, or is neither a walk nor an event.
func Like(head []byte) bool {
	all, _ := io.ReadAll(input.Text(bytes.NewReader(head)))
	text := strings.TrimSpace(string(all))
	if root, is := xes.Root(text); is {
		return root != "graphml"
	}
	if text == "" || text == "[]" || strings.HasPrefix(text, "digraph") {
		return false
	}
	if !strings.HasPrefix(text, "{") || !input.LikeJSON(text) {
		return true
	}
	line, _, _ := strings.Cut(text, "\n")
	keys, object, err := input.Object([]byte(strings.TrimSpace(line)))
	if err != nil || object["layers"] != nil {
		return false
	}
	key, err := (&input.Keys{}).Find(keys, input.WalkWords(), func(string) bool { return true })
	m, wrong := table.Header(keys, header.EventColumns())
	return key != "" || err != nil || wrong == nil && m.Missing(header.EventColumns()) == nil
}
