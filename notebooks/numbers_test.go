package notebooks

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/study"
)

// numberStatements are more of them, for the numbers that they hold.
func numberStatements() []statement {
	return []statement{
		{"00", "and the greatest of 20 tries", "distribution", says(`greatest of 20`)},
		{"00", "A sample of 1,024 paths differs from the distribution of 1,063 paths", "valid", says(`^1024 of 1024`)},
		{"00", "the second row puts 0.5/N in its place", "distribution", says(`KL, unseen paths at 0\.5/N`)},
		{"00", "All 1,063 paths are equally likely in the data", "setup", says(`^1063 distinct paths, 1063 with`)},
		{"00", "such that the best path attains 4", "guide", func(o outputs) bool { return o.at("max", 0) == 4 }},
		{"01", "There are 1,217,906", "sizes", func(o outputs) bool {
			return math.Abs(o.at("Heights", 4)-math.Log10(1217906)) < 5e-4
		}},
		{"02", `$\log 1063=6.969$ nats`, "compare", func(o outputs) bool { return o.at("best possible", 0) == 6.969 }},
		{"03", "The paper's size is 65,536 samples of 256 reverse steps", "setup", papersSize},
		{"03", "At vertex 23 the edge to 26 is preferred", "stall", func(o outputs) bool { return o.at("23 → 26", 1) == 1 }},
		{"03", "the gradient even pushes *away* from it, since 25 has",
			"stall", func(o outputs) bool { return o.at("23 → 25", 3) > 0 }},
		{"03", "The greatest, 4, is rare: 20 of the 1,063 paths", "contest-rows", func(o outputs) bool {
			return o.at("max", 3) == 20
		}},
		{"04", "The paper takes 65,536 samples of 256 steps and 20 rewards", "setup", papersSize},
		{"04", "It has learned Toy, whose 1,063 paths", "target", says(`of 1063 paths`)},
		{"04", "how many of its 72 best paths", "target", says(`^72 of`)},
		{"04", "(1,024 exact draws miss hardly any.)", "target", func(outputs) bool {
			return 72*math.Pow(1-1./72, 1024) < .01 // the expected number
		}},
		{"04", "with the mean of 20 such draws and the greatest of them", "evaluate", says(`greatest of 20`)},
		{"04", "FLGD agrees on λ = 100", "table", func(o outputs) bool {
			least := o.at("100", 4)
			return least < o.at("30", 4) && least < o.at("300", 4)
		}},
		{"07", "in the mean and at most (99.9%)", "exact", says(`exact draws, 99\.9%`)},
		{"07", "the reward's greatest total is 4, 72 of the 1,063 paths have it", "exact", func(o outputs) bool {
			return o.at("model, MaxReward", 0) == 4
		}},
		{"07", "with 8% of the mass", "particles", func(o outputs) bool {
			return math.Abs(o.at("8 particles: P(condition) =", 0)-.08) < .005
		}},
		{"08", "1,350 corners are paths", "setup", says(`1350 paths`)},
		{"08", "that knew all 1,350 paths by heart; 64 samples:", "exact", says(`Outcomes:\[64 `)},
		{"08", `99% needs $\varepsilon<1.5\cdot10^{-5}$`, "setup", func(outputs) bool {
			return math.Abs(math.Pow(1-1.5e-5, 666)-.99) < .0005
		}},
		{"08", "with the interval of 95%", "small-rate", func(o outputs) bool {
			valid := outputs(lastLine(o)).row("")
			return len(valid) == 5 && says(wilson(valid[0], valid[0]+valid[1]+valid[2]+valid[3]+valid[4]))(o)
		}},
		{"08", "24,000 steps, and 64 samples at each of 48 checkpoints",
			"../docs/reproduced/swingnn.csv", func(o outputs) bool {
				rows := o.table()
				other := func(r []string) bool { return r[3] != "64" }
				return len(rows) == 49 && rows[48][0] == "24000" && !slices.ContainsFunc(rows[1:], other)
			}},
		{"08", "Of 8,192 samples of the trained network 95.5% are paths, docs/baselines.md; the paper reports 99.7%",
			"../docs/baselines.md", says(`(?s)8,192 samples of each.*SwinGNN \| 95\.5% \| [^|]* \| 99\.7%`)},
		{"08", "they bring the edge and keep the paths (95 to 100% of the samples)",
			"../docs/reproduced/validity.csv", keepPaths},
		{"08", "128 samples of each", "../docs/reproduced/validity.csv", func(o outputs) bool {
			return !slices.ContainsFunc(o.table()[1:], func(r []string) bool { return r[4] != "128" })
		}},
		{"09", "The paper takes 65,536 samples of 256 steps, 20 rewards", "study", papersSize},
		{"09", "The paper's is near 100", "findings", says(`up to about 100`)},
		{"09", "The figures come out, with the golden line near λ = 100", "findings", func(o outputs) bool {
			return strings.Contains(string(o), "KL falls with λ up to about 100, then rises and levels off")
		}},
	}
}

// papersSize holds if the preset `paper` has the sizes that the text gives.
func papersSize(outputs) bool {
	s, err := study.NewGuidance("toy", "paper")
	return err == nil && s.Samples == 65_536 && s.Steps == 256 && s.Instances == 20
}

// wilson is how a cell writes the share x of n with its interval.
func wilson(x, n float64) string {
	const z = 1.959964
	p := x / n
	mid, half := (p+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	percent := func(v float64) string { return strconv.Itoa(int(math.Round(100 * v))) }
	return "^valid " + percent(p) + `% \(` + percent(mid-half) + " to " + percent(mid+half) + `\)`
}

// table reads a file of comma-separated values.
func (o outputs) table() [][]string {
	rows, err := csv.NewReader(strings.NewReader(string(o))).ReadAll()
	if err != nil || len(rows) < 2 {
		return [][]string{nil}
	}
	return rows
}

// keepPaths holds if SwinGNN's valid rates lie in 94 to 99% as long as λ is small.
func keepPaths(o outputs) bool {
	least, most := 1., 0.
	for _, r := range o.table()[1:] {
		scale, err := strconv.ParseFloat(r[3], 64)
		rate, err2 := strconv.ParseFloat(r[5], 64)
		if err != nil || err2 != nil {
			return false
		}
		if r[2] == "SwinGNN, R(x)" && scale <= 30 || r[2] == "SwinGNN, R(D(x))" && scale <= 100 {
			least, most = min(least, rate), max(most, rate)
		}
	}
	return math.Round(100*least) == 95 && most == 1
}

// unstated are numbers of a text that state nothing: formulas, code, addresses, headings, numbers of lists, references
// to the paper's parts and to other notebooks, years.
func unstated() []string {
	return []string{`(?s)\$\$.*?\$\$`, `\$[^$\n]*\$`, "`[^`]*`", `(?m)^    .*$`, `\]\([^)]*\)`, `<[^>]*>`, `(?m)^#.*$`,
		`(?m)^\s*\d+\. `, `§\d[\d.]*`, `(?m)^\| \d `, `ODbL 1\.0`, `\b20\d\d\b`, `\(\d\)`,
		`(?i)\b(eqs?\.|figures?|algorithms?|definitions?|table|notebooks?|exercise|reading|conditions?|lines?)` +
			`\s*\(?\d+\)?((,| and| to)+ \(?\d+\)?)*`}
}

// Every number of a notebook's text is in a phrase that a test holds, or is one of the code that the text describes.
// Exercises ask, and state nothing.
func TestNumbersOfTheText(t *testing.T) {
	var drop []*regexp.Regexp
	for _, p := range unstated() {
		drop = append(drop, regexp.MustCompile(p))
	}
	number := regexp.MustCompile(`\d[\d,]*(\.\d+)?%?`)
	files, err := filepath.Glob("[0-9]*.ipynb")
	if err != nil || len(files) < 11 {
		t.Fatal(files, err)
	}
	seen := 0
	for _, file := range files {
		text, code := textAndCode(t, file)
		text, _, _ = strings.Cut(text, "\n## Exercises")
		held := []byte(text)
		for _, s := range slices.Concat(statements(), moreStatements(), numberStatements()) {
			if at := strings.Index(text, s.phrase); at >= 0 && s.book == file[:2] {
				copy(held[at:], strings.Repeat("_", len(s.phrase))) // phrases may overlap
			}
		}
		text = string(held)
		for _, re := range drop {
			text = re.ReplaceAllString(text, "")
		}
		for _, at := range number.FindAllStringIndex(text, -1) {
			word := strings.TrimRight(text[at[0]:at[1]], ",")
			digits := strings.ReplaceAll(word, ",", "")
			if seen++; !code[digits] {
				t.Errorf("%s: nothing holds %s in %q", file, word, text[max(0, at[0]-60):min(len(text), at[1]+30)])
			}
		}
	}
	if seen < 50 {
		t.Errorf("%d numbers seen", seen)
	}
}

// textAndCode returns a notebook's text and the numbers of its code.
func textAndCode(t *testing.T, file string) (text string, code map[string]bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b book
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	code = map[string]bool{}
	number := regexp.MustCompile(`\d[\d_]*(\.\d+)?`)
	for _, c := range b.Cells {
		if c.Type == "markdown" {
			text += string(c.Source) + "\n"
			continue
		}
		for _, n := range number.FindAllString(string(c.Source), -1) {
			code[strings.ReplaceAll(n, "_", "")] = true
		}
	}
	return text, code
}
