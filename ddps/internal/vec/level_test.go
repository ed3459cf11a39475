package vec

// lower makes the kernels use l, or best where that is less, until the function it returns is called.
func lower(l level) (restore func()) {
	before := at
	at = min(l, best)
	return func() { at = before }
}
