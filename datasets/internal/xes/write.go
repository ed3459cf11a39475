package xes

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// Write writes a log of traces, of which the names of the events are given. The cases are 1, 2, …, and the events have
// no time: they are in their order. The error is of a name that XML cannot hold, or of out.
func Write(out io.Writer, traces iter.Seq[[]string]) error {
	w, n := bufio.NewWriter(out), 0
	w.WriteString(xml.Header + `<log xes.version="1849.2016" xmlns="http://www.xes-standard.org/">` + "\n" +
		`  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>` + "\n")
	name := func(text string) {
		w.WriteString(`<string key="` + Name + `" value="`)
		xml.EscapeText(w, []byte(text))
		w.WriteString(`"/>`)
	}
	for events := range traces {
		n++
		w.WriteString("  <trace>\n    ")
		name(strconv.Itoa(n))
		for _, e := range events {
			if strings.ContainsFunc(e, notXML) {
				return fmt.Errorf("%q has a character that XML cannot hold", e)
			}
			w.WriteString("\n    <event>")
			name(e)
			w.WriteString("</event>")
		}
		w.WriteString("\n  </trace>\n")
	}
	w.WriteString("</log>\n")
	return w.Flush() // the error of the first write that failed
}

// notXML reports whether a character cannot stand in XML 1.0.
func notXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}
