package input

import (
	"bytes"
	"errors"
	"strings"
)

// Archive is the error of a file, by its first bytes, that holds other files or a spreadsheet's sheets, nil for others.
func Archive(head []byte) error {
	switch {
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")),
		bytes.HasPrefix(head, []byte("PK\x03\x04")) && strings.Contains(string(head), "[Content_Types].xml"):
		return errors.New("it is a spreadsheet or document of an office program: save the table as CSV")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return errors.New("it is a zip file: unpack it, and name the files in it")
	}
	return nil
}
