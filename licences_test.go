package ddps_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// licenceFile lists the licences of all modules that are linked into the program.
const licenceFile = "docs/licences.md"

// phrases tell licences by their texts, the more special ones first.
var phrases = []struct{ licence, pattern string }{
	{"CC BY 4.0", `creative commons attribution 4\.0`},
	{"CC BY 3.0", `creativecommons\.org/licenses/by/3\.0`},
	{"FreeType License or GPL-2.0", `freetype project license|freetype license`},
	{"OFL-1.1", `sil open font license`},
	{"Apache-2.0", `apache license,? version 2\.0`},
	{"MPL-2.0", `mozilla public license,? version 2\.0`},
	{"BSD-3-Clause", `redistribution and use in source and binary forms.*(neither the name|names of its contributors|the name of the)`},
	{"BSD-2-Clause", `redistribution and use in source and binary forms`},
	{"MIT", `permission is hereby granted, free of charge`},
	{"ISC", `permission to use, copy, modify,? and(/or)? distribute`},
}

// licencesOf names the licences in the files of a module's directory.
func licencesOf(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	spaces := regexp.MustCompile(`[\s#*/"]+`)
	var found []string
	for _, f := range list {
		if f.IsDir() || !regexp.MustCompile(`(?i)^(licen[sc]e|copying)`).MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		plain := spaces.ReplaceAllString(strings.ToLower(string(text)), " ")
		plain = strings.ReplaceAll(plain, "http: ", "http://")
		for _, p := range phrases {
			if regexp.MustCompile(p.pattern).MatchString(plain) && !slices.Contains(found, p.licence) {
				if p.licence == "BSD-2-Clause" && slices.Contains(found, "BSD-3-Clause") {
					continue
				}
				found = append(found, p.licence)
			}
		}
	}
	return strings.Join(found, ", ")
}

// TestLicences: the file of licences is that of the modules that are linked, with XLA and without, as their texts say.
func TestLicences(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags", "xla", "-f", "{{with .Module}}{{if not "+
		".Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/ddps").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	modules := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(modules)
	var rows []string
	for _, line := range slices.Compact(modules) {
		if path, dir, ok := strings.Cut(line, "\t"); ok {
			rows = append(rows, fmt.Sprintf("| %s | %s |", path, licencesOf(t, dir)))
		}
	}
	text, err := os.ReadFile(licenceFile)
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| module") {
			listed = append(listed, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(rows, listed) {
		t.Errorf("%s lists other licences than the modules have, which are\n%s", licenceFile, strings.Join(rows, "\n"))
	}
	for _, row := range rows {
		if strings.HasSuffix(row, "|  |") || strings.Contains(row, "GPL") && !strings.Contains(row, " or GPL") {
			t.Errorf("%s: no licence that is known, or one that does not go with ours", row)
		}
	}
}
