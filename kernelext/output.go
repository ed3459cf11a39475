package kernelext

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
)

// Output is where a cell's results go: a Jupyter front end, a terminal, a file. It is safe for concurrent use.
type Output interface {
	Stdout() io.Writer
	Stderr() io.Writer
	// Display shows a bundle, its forms by MIME type: text and SVG as strings, PNG as bytes in base64. With an id
	// and update set it takes the place of what was shown under that id; without update it is shown anew and may
	// be replaced later. metadata may be nil.
	Display(data, metadata map[string]any, id string, update bool)
	// Result shows a bundle as the value of the cell, which front ends number: Out [3].
	Result(data, metadata map[string]any)
}

// Page is an Output that a browser may stand behind, which sends what its user does.
type Page interface {
	Output
	// Listen calls f, one call at a time, with each text that comes to address until stop is called: what the page
	// sends, and PageWaits and PageDone.
	Listen(address string, f func(text string)) (stop func())
}

// Input is an Output whose user can type.
type Input interface {
	Output
	// ReadLine returns the next line that the user types, without its end; io.EOF if there will be none. It ends with
	// ctx. What was last written to Stdout says what is wanted.
	ReadLine(ctx context.Context) (string, error)
}

// Texts that come to an address besides what the page's controls say.
const (
	PageReady = "ready" // the page shows the controls
	PageWaits = "wait"  // there is a front end that may show them soon
	PageDone  = "done"  // the controls are no longer needed: the user says so, or other cells wait, or the session ends
)

// ControlsMIME marks a bundle whose HTML holds controls, with the address that they send to as its content. The
// kernel puts the script in that sends it.
const ControlsMIME = "application/vnd.ddps.controls"

// WidgetsMIME holds the controls of a bundle that ControlsMIME marks, a list of ControlSpec as text in JSON, for the
// kernel: front ends get widgets.
const WidgetsMIME = "application/vnd.ddps.widgets+json"

// EnvControls names the variable that tells a compiled cell the kernel's socket for controls. The cell sends an address
// as a JSON string and reads texts as JSON strings: first "" or PageWaits.
const EnvControls = "DDPS_KERNEL_CONTROLS"

// Show displays values in their richest forms on out.
func Show(out Output, values ...any) {
	for _, x := range values {
		data, metadata := Bundle(x)
		out.Display(data, metadata, "", false)
	}
}

// Place is a place in the output where what is shown replaces what was shown before.
type Place struct {
	out   Output
	id    string
	shown bool
}

// NewPlace returns a place on out, which takes room at the first Show.
func NewPlace(out Output) *Place { return &Place{out: out, id: NewID()} }

// Show displays x in the place. Not for concurrent use.
func (p *Place) Show(x any) {
	data, metadata := Bundle(x)
	p.out.Display(data, metadata, p.id, p.shown)
	p.shown = true
}

// NewID returns an identifier that no other has.
func NewID() string {
	var b [9]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
