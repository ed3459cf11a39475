package gen

// Files returns the generated files of package vec by name.
func Files() (map[string][]byte, error) {
	all := map[string][]byte{}
	for name, write := range map[string]func(f *file){"sweeps": sweeps, "arrays": arrays} {
		f := newFile()
		write(f)
		asm, stubs, err := f.print(name)
		if err != nil {
			return nil, err
		}
		all[name+"_amd64.s"], all[name+"_amd64.go"] = asm, stubs
		if all[name+"_other.go"], err = elsewhere(stubs); err != nil {
			return nil, err
		}
		if choices := f.choices(); choices != nil {
			all[name+"_width.go"] = choices
		}
	}
	return all, nil
}

// sweeps writes the kernels over eight samples of a layered graph.
func sweeps(f *file) {
	for _, k := range []struct {
		name string
		text func(k *kernel)
	}{{"posterior", posterior}, {"reach", reach}, {"draw", draw}, {"austin", austin}, {"eq2", eq2},
		{"occupancy", occupancy},
		{"joint", joint}, {"ratios", ratios}, {"keep", keep}, {"lift", lift}, {"project", project}, {"normalise", normalise},
		{"mean", mean}, {"weigh", weigh}, {"occupy", occupy}, {"guide", guide}, {"anneal", anneal},
		{"values", values},
		{"gradient", gradient}, {"correct", correct}} {
		f.lanes(k.name, k.text)
	}
}
