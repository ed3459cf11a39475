package input

import (
	"encoding/json"
	"errors"
	"io"
)

// Cut reports whether an error of a json.Decoder says that the text ends within a value. Between tokens that is io.EOF
// up to Go 1.26, and since then the error that json.Unmarshal has always had.
func Cut(err error) bool {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		var none json.RawMessage
		return syntax.Error() == json.Unmarshal([]byte("{"), &none).Error()
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
