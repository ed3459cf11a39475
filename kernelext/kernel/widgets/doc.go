// Package widgets shows controls by the protocol of ipywidgets, version 2 of its messages, so that JupyterLab, Notebook
// and editors that have its widgets draw them: https://ipywidgets.readthedocs.io, "Jupyter widgets messaging protocol".
// A control is a model, whose state the kernel and the pages keep alike over a channel of its own.
//
//	manager.go  the models that are open, and what pages say of them
//	state.go    the state of each kind of control
package widgets
