package sequences

// labels notes that each walk of a table begins with a place that stands nowhere else in the file, as the names of
// cases do.
func (f *file) labels(d decision) {
	const least = 10
	n := f.Len() - f.begin
	if n < least || d.format != Wide || d.within != "" {
		return
	}
	seen := map[int32]int{}
	for _, t := range f.token[f.first[f.begin]:] {
		seen[t]++
	}
	for i := f.begin; i < f.Len(); i++ {
		if w := f.At(i); len(w) < 2 || seen[w[0]] > 1 {
			return
		}
	}
	hint := "--columns FIRST..LAST names those of the places"
	if !d.header {
		hint = "a header and --columns FIRST..LAST leave it out"
	}
	f.says("every row begins with a place that stands nowhere else, such as %q: if it is the name of the walk, %s",
		f.Tokens[f.At(f.begin)[0]], hint)
}
