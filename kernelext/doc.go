// Package kernelext holds all that touches Jupyter or a terminal. What stands here itself serves compiled notebook
// cells and live ones alike:
//
//	output.go    Output: where a cell's results go, and Page: one that a browser may stand behind
//	bundle.go    the forms of a value: figures as SVG, PNG and text; graphs, paths, tables
//	describe.go  values as text, cut where they are long
//	notebook.go  the Output of a compiled cell under GoNB, and of a program that runs elsewhere
//	table.go     a table as text, HTML and Markdown
//	columns.go   structs and maps as columns
//	progress.go  a progress bar that replaces itself
//	controls.go  sliders, selects, check boxes, buttons, lines of text
//	interact.go  a value that is shown anew as controls change
//
// Below it: kernel/ the Jupyter kernel, live/ the interpreter, repl/ the prompt, artefact/ results kept by content.
package kernelext
