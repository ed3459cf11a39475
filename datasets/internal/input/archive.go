package input

import (
	"bytes"
	"errors"
)

// Office is the error of a file, by its first bytes, that is of an office program, nil for others.
func Office(head []byte) error {
	if bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")) || Zip(head) && bytes.Contains(head,
		[]byte("[Content_Types].xml")) {
		return errors.New("it is a spreadsheet or document of an office program: save the table as CSV")
	}
	return nil
}

// Zip reports whether a file, by its first bytes, is a zip file, as those of office programs are.
func Zip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// Archive is the error of Office, or of another zip file.
func Archive(head []byte) error {
	if err := Office(head); err != nil {
		return err
	}
	if Zip(head) {
		return errors.New("it is a zip file: unpack it, and name the files in it")
	}
	return nil
}
