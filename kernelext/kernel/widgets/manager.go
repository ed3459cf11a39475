package widgets

import (
	"encoding/json"
	"maps"
	"strconv"
	"sync"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// Targets of channels: of a model, and of a page that asks for all.
const (
	target        = "jupyter.widget"
	controlTarget = "jupyter.widget.control"
)

// MIMEView is the type of what shows a model.
const MIMEView = "application/vnd.jupyter.widget-view+json"

// Manager holds the models that are open. Its methods are safe for concurrent use.
type Manager struct {
	// Send broadcasts a message about parent.
	Send func(kind string, parent *jupyter.Message, content, metadata any)
	// Tell gives a listener at an address what a page says.
	Tell func(address, text string)

	mu     sync.Mutex
	known  bool // a page has said that it draws widgets
	models map[string]*open
	asks   map[string]bool // channels of pages that ask for all models
}

// open is a model.
type open struct {
	state   map[string]any
	address string
	text    string // what the control is called by its listener; "" for what is no control
	presses int
}

// Known reports whether a page has said that it draws widgets.
func (m *Manager) Known() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known
}

// Show opens the models of controls that belong to an address, and returns the content that shows them.
func (m *Manager) Show(parent *jupyter.Message, address string, list []kernelext.ControlSpec) map[string]any {
	add := func(o *open) string {
		id := jupyter.NewID()
		o.address = address
		m.mu.Lock()
		if m.models == nil {
			m.models = map[string]*open{}
		}
		m.models[id] = o
		state := maps.Clone(o.state)
		m.mu.Unlock()
		m.Send("comm_open", parent, map[string]any{"comm_id": id, "target_name": target,
			"data": map[string]any{"state": state, "buffer_paths": []any{}}}, map[string]any{"version": "2.1.0"})
		return "IPY_MODEL_" + id
	}
	place := add(&open{state: layout(nil)})
	var children []string
	for _, c := range list {
		state, look := widget(c)
		state["layout"], state["style"] = place, add(&open{state: look})
		children = append(children, add(&open{state: state, text: c.Send}))
	}
	row := add(&open{state: layout(map[string]any{"flex_flow": "row wrap"})})
	box := add(&open{state: model(controls, "HBox", controls, "HBoxView", map[string]any{"children": children,
		"layout": row, "box_style": ""})})
	return map[string]any{"version_major": 2, "version_minor": 0, "model_id": box[len("IPY_MODEL_"):]}
}

// End disables the controls of an address and forgets their models.
func (m *Manager) End(address string) {
	m.mu.Lock()
	var ended []string
	for id, o := range m.models {
		if o.address != address {
			continue
		}
		delete(m.models, id)
		if o.text != "" {
			ended = append(ended, id)
		}
	}
	m.mu.Unlock()
	for _, id := range ended {
		m.update(nil, id, map[string]any{"disabled": true, "tooltip": "Run the cell again to use these controls"})
	}
}

func (m *Manager) update(parent *jupyter.Message, id string, state map[string]any) {
	m.Send("comm_msg", parent, map[string]any{"comm_id": id, "data": map[string]any{"method": "update", "state": state,
		"buffer_paths": []any{}}}, map[string]any{})
}

// message is the content of a comm message.
type message struct {
	ID     string `json:"comm_id"`
	Target string `json:"target_name"`
	Data   struct {
		Method  string         `json:"method"`
		State   map[string]any `json:"state"`
		Content struct {
			Event string `json:"event"`
		} `json:"content"`
	} `json:"data"`
}

// Message takes a comm message of a page and reports whether it was about widgets.
func (m *Manager) Message(raw *jupyter.Message) bool {
	var c message
	if json.Unmarshal(raw.Content, &c) != nil {
		return false
	}
	m.mu.Lock()
	o, asks := m.models[c.ID], m.asks[c.ID]
	switch {
	case raw.Kind() == "comm_open" && c.Target == controlTarget:
		m.known = true
		if m.asks == nil {
			m.asks = map[string]bool{}
		}
		m.asks[c.ID], asks = true, true
	case raw.Kind() == "comm_close":
		delete(m.asks, c.ID)
		delete(m.models, c.ID)
		m.mu.Unlock()
		return o != nil || asks
	}
	m.mu.Unlock()
	if o == nil && !asks {
		return false
	}
	// pages send no more about a model until the kernel is idle again
	m.Send("status", raw, map[string]any{"execution_state": "busy"}, map[string]any{})
	defer m.Send("status", raw, map[string]any{"execution_state": "idle"}, map[string]any{})
	switch {
	case asks && c.Data.Method == "request_states":
		m.Send("comm_msg", raw, map[string]any{"comm_id": c.ID, "data": map[string]any{"method": "update_states",
			"states": m.states(), "buffer_paths": []any{}}}, map[string]any{})
	case asks:
	case c.Data.Method == "request_state":
		m.mu.Lock()
		state := maps.Clone(o.state)
		m.mu.Unlock()
		m.update(raw, c.ID, state)
	default:
		m.heard(o, c)
	}
	return true
}

// heard takes what a page says of a control.
func (m *Manager) heard(o *open, c message) {
	m.mu.Lock()
	maps.Copy(o.state, c.Data.State)
	text, ok := said(c.Data.State)
	if c.Data.Method == "custom" && c.Data.Content.Event == "click" {
		o.presses++
		text, ok = strconv.Itoa(o.presses), true
	}
	address, name := o.address, o.text
	m.mu.Unlock()
	switch {
	case !ok || name == "":
	case name == kernelext.PageDone:
		m.Tell(address, kernelext.PageDone)
	default:
		m.Tell(address, name+"="+text)
	}
}

// states returns all models, as pages ask for them.
func (m *Manager) states() map[string]any {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]any{}
	for id, o := range m.models {
		all[id] = map[string]any{"model_name": o.state["_model_name"], "model_module": o.state["_model_module"],
			"model_module_version": o.state["_model_module_version"], "state": maps.Clone(o.state)}
	}
	return all
}
