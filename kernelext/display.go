package kernelext

import "fmt"

// Bundle returns x in its richest forms.
func Bundle(x any) (data, metadata map[string]any) {
	return map[string]any{"text/plain": fmt.Sprint(x)}, nil
}

// ShowOn displays x on out in its richest forms.
func ShowOn(out Output, x any) {
	data, metadata := Bundle(x)
	out.Display(data, metadata, "", false)
}
