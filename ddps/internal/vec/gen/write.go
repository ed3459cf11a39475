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
	}
	return all, nil
}

func sweeps(f *file) {
	f.lanes("posterior", posterior)
	f.lanes("reach", reach)
	f.lanes("draw", draw)
}
