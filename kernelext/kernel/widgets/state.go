package widgets

import (
	"strconv"

	"github.com/ddps-go/ddps/kernelext"
)

// Modules of the widgets, and their version.
const (
	base     = "@jupyter-widgets/base"
	controls = "@jupyter-widgets/controls"
	version  = "2.0.0"
)

// model returns the state that every model has.
func model(module, name, viewModule, view string, more map[string]any) map[string]any {
	s := map[string]any{"_model_module": module, "_model_module_version": version, "_model_name": name + "Model",
		"_view_module": viewModule, "_view_module_version": version, "_view_name": view, "_view_count": nil}
	for k, v := range more {
		s[k] = v
	}
	return s
}

func layout(more map[string]any) map[string]any {
	return model(base, "Layout", base, "LayoutView", more)
}

// style is how a kind of widget looks.
func style(kind string, more map[string]any) map[string]any {
	return model(controls, kind+"Style", base, "StyleView", more)
}

// widget returns the state of a control, and the kind and state of its style.
func widget(c kernelext.ControlSpec) (state, look map[string]any) {
	s := map[string]any{"description": c.Name, "disabled": false}
	whole := map[string]any{"description_width": "initial"}
	switch c.Kind {
	case "slider":
		s["min"], s["max"], s["step"], s["value"] = c.Min, c.Max, c.Step, number(c.State)
		s["continuous_update"], s["readout"], s["readout_format"] = true, true, ".4~g"
		return model(controls, "FloatSlider", controls, "FloatSliderView", s), style("Slider", whole)
	case "select":
		s["_options_labels"], s["index"] = c.Options, int(number(c.State))
		return model(controls, "Dropdown", controls, "DropdownView", s), style("Description", whole)
	case "checkbox":
		s["value"], s["indent"] = c.State == "true", false
		return model(controls, "Checkbox", controls, "CheckboxView", s), style("Checkbox", map[string]any{})
	case "button":
		return model(controls, "Button", controls, "ButtonView", s), style("Button", map[string]any{})
	}
	s["value"], s["continuous_update"] = c.State, true
	return model(controls, "Text", controls, "TextView", s), style("Text", whole)
}

func number(s string) float64 {
	x, _ := strconv.ParseFloat(s, 64)
	return x
}

// said is what an update of a page says of a control, as its listener wants it; ok is false for nothing.
func said(state map[string]any) (text string, ok bool) {
	if i, has := state["index"].(float64); has {
		return strconv.Itoa(int(i)), true
	}
	switch v := state["value"].(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	case string:
		return v, true
	}
	return "", false
}
