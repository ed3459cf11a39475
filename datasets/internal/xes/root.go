package xes

import (
	"encoding/xml"
	"regexp"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

var (
	// markup is how XML begins for certain: with a declaration, a comment or an element that has attributes.
	markup = regexp.MustCompile(`(?i)^(<\?xml\s|<!DOCTYPE\s|<!--|<[a-z_][\w.:-]*\s+[\w.:-]+\s*=\s*["'])`)
	// element is how it begins with one of the usual roots, and another element in it.
	element = regexp.MustCompile(`(?i)^<(log|gpx|kml|html|osm|graphml|svg|rss|feed)>\s*<`)
)

// Root returns the name of the root of a text that is XML, "" if it cannot be read; is is false where the text is none.
// Names in angle brackets, like <s> A </s>, are no XML.
func Root(head string) (name string, is bool) {
	head = strings.TrimLeft(head, " \t\r\n")
	if !markup.MatchString(head) && !element.MatchString(head) {
		return "", false
	}
	d := xml.NewDecoder(strings.NewReader(head))
	d.Strict, d.CharsetReader = false, input.Charset
	for {
		t, err := d.Token()
		if err != nil {
			return "", true
		}
		if e, is := t.(xml.StartElement); is {
			return e.Name.Local, true
		}
	}
}
