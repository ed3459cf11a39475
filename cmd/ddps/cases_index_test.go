package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// casesByID says which tests hold what went wrong once: "F" inputs, "M" numbers, "fault" and "user" the others, as they
// are counted in the list of cases. Those with TestCases are rows of it, run by the command line.
var casesByID = map[string]string{
	"F1": "TestCases TestParquetTypes", "F3": "TestCases", "F4": "TestCases TestAntimeridianSplit",
	"F6": "TestCases TestAntimeridianTurned", "F7": "TestMapAcross180 TestCutAt180", "F9": "TestCases TestTimetableCases",
	"F11": "TestCases TestTimetableCases", "F12": "TestCases TestOSMCases", "F13": "TestCases TestOSMCases",
	"F14": "TestCases TestOSMCases", "F16": "TestCases TestEdgeListCases", "F18": "TestCases TestEdgeListCases",
	"F19": "TestNumbersOfAnySize TestNumbersAsText", "F21": "TestCases TestBridge", "F23": "TestCases",
	"F25": "TestCases", "F27": "TestCases TestGraphMLCases",

	"M1": "TestCases TestNumbersOfAnySize TestWeightsOfAnySize", "M2": "TestCases TestRoundedTotals TestExactTotals",
	"M3": "TestCases TestNumbersOfAnySize", "M4": "TestFarWeights TestBoltzmannForbidsNothing TestWeightsOfAnySize",
	"M5": "TestCases", "M6": "TestCaseM6",

	"fault 1": "TestNobodyReads", "fault 2": "TestConfigNested",
	"fault 3": "TestRedirectWithoutTLS TestPinned TestAutoFallsBack",
	"fault 4": "TestChangedFiles TestDeletedSums TestOtherRunsFiles TestTableSum TestTableWithoutSum",
	"fault 5": "TestCases TestTooMuch TestReadGraphEndless", "fault 6": "TestBombs", "fault 7": "TestKills TestOutputs",
	"fault 8": "TestCases TestTooMuch", "fault 9": "TestOutputs TestSymlink",
	"fault 10": "TestOutputs TestLongNames TestFullOutput TestConfigSeeds TestFormulas TestMessage",
	"fault 11": "TestReleasesWithoutFaults TestPins",

	"user: starts": "TestCases", "user: lengths": "TestTimesStay TestEdgeListCases",
	"user: other graph": "TestCheckGraphs", "user: path files": "TestCases TestPathForms TestReadCSVErrors",
	"user: evaluate": "TestEvaluate TestEvaluateErrors TestSparseRows", "user: view": "TestView",
	"user: toy": "TestKeptNothing",
}

// Each case has its tests, by name, and its rows in TestCases.
func TestCasesByID(t *testing.T) {
	ids := []string{"M1", "M2", "M3", "M4", "M5", "M6"}
	for _, n := range strings.Fields("1 3 4 6 7 9 11 12 13 14 16 18 19 21 23 25 27") {
		ids = append(ids, "F"+n)
	}
	for _, n := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11") {
		ids = append(ids, "fault "+n)
	}
	var tests []string
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			tests = append(tests, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.ReadFile("cases_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if casesByID[id] == "" {
			t.Errorf("%s has no test", id)
		}
	}
	for id, names := range casesByID {
		for _, name := range strings.Fields(names) {
			if !slices.Contains(tests, name) {
				t.Errorf("%s: there is no %s", id, name)
			}
			if name == "TestCases" && !strings.HasPrefix(id, "user") && !regexp.MustCompile(`{"`+id+`\b`).Match(rows) {
				t.Errorf("%s: no row of TestCases", id)
			}
		}
	}
}

// Modules with published faults are linked at releases without them.
func TestReleasesWithoutFaults(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for module, least := range map[string][3]int{"golang.org/x/image": {0, 43, 0},
		"github.com/klauspost/compress": {1, 18, 7}} {
		m := regexp.MustCompile(regexp.QuoteMeta(module) + ` v(\d+)\.(\d+)\.(\d+)`).FindStringSubmatch(string(text))
		if m == nil {
			t.Errorf("%s is not in go.mod", module)
			continue
		}
		var have [3]int
		for i := range have {
			have[i] = number(t, m[i+1])
		}
		if slices.Compare(have[:], least[:]) < 0 {
			t.Errorf("%s is at %v, which has published faults: at least %v", module, have, least)
		}
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The images of the Dockerfile are of a release each, by digest.
func TestDockerImages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	images := regexp.MustCompile(`(?m)^ARG \w+_IMAGE=(.*)$`).FindAllSubmatch(text, -1)
	for _, m := range images {
		if !regexp.MustCompile(`^\w+:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}$`).Match(m[1]) {
			t.Errorf("image %s is not of one release by digest", m[1])
		}
	}
	from := regexp.MustCompile(`(?m)^FROM (.*)$`).FindAllSubmatch(text, -1)
	for _, m := range from {
		if !strings.HasPrefix(string(m[1]), "${") {
			t.Errorf("FROM %s is none of the arguments", m[1])
		}
	}
	if len(images) != len(from) {
		t.Errorf("%d images of %d by argument", len(images), len(from))
	}
}
