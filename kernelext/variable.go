package kernelext

// Variable is what a session knows of one: a variable, or a part of one.
type Variable struct {
	Name, Type, Value string
	Size              int // elements of what has some, else −1
	Ref               int // names it where its parts are asked for; 0 if it has none
}

// Candidate is a name that may stand where something is to be completed.
type Candidate struct {
	Name string
	Kind string // "function", "method", "variable", "field", "type", "constant", "package", "keyword"
	Type string // a function's signature, a variable's type; "" if not known
}
