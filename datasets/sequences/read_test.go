package sequences_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// options are short for the tables below.
type options = sequences.ReadOptions

// text is the rows of walks: names, and the count where it is not 1.
func text(w *sequences.Walks) string {
	var rows []string
	for i := range w.Len() {
		row := strings.Join(w.Names(i), " ")
		if n := w.Count(i); n != 1 {
			row += fmt.Sprintf(" ×%d", n)
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, "; ")
}

// TestFormats reads the same kind of walks as each format is decided on, and holds what is decided against what
// should be.
func TestFormats(t *testing.T) {
	none := []string{}
	for _, c := range []struct {
		name, in string
		o        options
		want     string
		said     string // a part of a note
	}{
		{"a.txt", "A B C\nB C\n", options{}, "A B C; B C", "separated by blanks"},
		{"a.txt", "A  B\tC \r\n\r\nB C", options{Sep: "space"}, "A B C; B C", "separated by blanks"},
		{"a.txt", "\ufeffA B\rB A\r", options{}, "A B; B A", "CR alone"},
		{"a.txt", "New York,Boston\nBoston,New York\n", options{Sep: "comma"}, "New York Boston; Boston New York", `","`},
		{"a.csv", "New York,Boston\nBoston,New York,\n", options{}, "New York Boston; Boston New York", "a place a column"},
		{"a.csv", "\"a, b\",c\nc\nc,\"a, b\"\n", options{}, "a, b c; c; c a, b", "a place a column"},
		{"a.txt", "A\tB b\nB b\tA\n", options{Sep: "tab"}, "A B b; B b A", "tabs"},
		{"a.txt", "A>B>C\nB>C\n", options{Sep: ">"}, "A B C; B C", `">"`},
		{"a.txt", "A -> B -> C\nB -> C\nC\n", options{}, "A B C; B C; C", `separated by "->"`},
		{"a.txt", "A → Bath\nBath→A\n", options{}, "A Bath; Bath A", `separated by "→"`},
		{"a.txt", "A|B|C\nB|C\nC\n", options{}, "A B C; B C; C", `separated by "|"`},
		{"a.txt", "Ann > Bob\nBob > Cy\nBob\n", options{}, "Ann Bob; Bob Cy; Bob", `separated by ">"`},
		{"a.txt", "A=>B\nB=>A\n", options{}, "A B; B A", `separated by "=>"`},
		{"a.txt", "path\nA -> B\nB -> A\n", options{}, "A B; B A", `below the header "path", tokens separated by "->"`},
		{"a.txt", "A -> B\nB -> A\n", options{Sep: "space"}, "A -> B; B -> A", "blanks"},
		{"a.txt", "the | cat\na | dog ran\n", options{}, "the | cat; a | dog ran", "blanks"},
		{"a.txt", "ab>c\nabc\n", options{Sep: "letters"}, "a b > c; a b c", "a letter a token"},
		{"a.txt", "a>b\nab\nba\n", options{}, "a > b; a b; b a", "a letter a token"},
		{"a.txt", "\"San Francisco\" Oakland\nOakland\n", options{}, "San Francisco Oakland; Oakland",
			"blanks, those in quotes whole"},
		{"a.txt", "\"San Francisco, CA\" -> Oakland\n\"Oakland\"\n", options{}, "San Francisco, CA Oakland; Oakland",
			`"->", those in quotes whole`},
		{"a.txt", "\"New York\"\nOakland\n", options{}, "New York; Oakland", "those in quotes whole"},
		{"a.txt", "\"San Francisco\" A\n", options{Sep: "space"}, "\"San Francisco\" A", "blanks"},
		{"a.txt", "5\" \" x\n", options{}, "5\" \" x", "blanks"},
		{"a.csv", "id,path\n7,A -> B b\n8,A\n", options{Walk: "path", Sep: "->"}, "A B b; A", `in column "path"`},
		{"a.csv", "id,path\n7,A -> B\n8,B -> A\n", options{}, "A B; B A", `in column "path"`},
		{"a.txt", "emma\nava\n", options{}, "e m m a; a v a", "a letter a token"},
		{"a.txt", "e\u0301a\n", options{}, "é a", "another form of Unicode"},
		{"a.txt", "1 2 3\n2 3\n", options{}, "1 2 3; 2 3", "blanks"},
		{"a.txt", "# a note\n# another\nA B\nB #\n", options{}, "A B; B #", "blanks"},
		{"a.txt", "# A\n# B\n", options{}, "# A; # B", "blanks"},
		{"a.csv", "v1,v2,v3,count\nA,B,C,2\nB,C,,1\nC,,,1\n", options{}, "A B C ×2; B C; C", `count from "count"`},
		{"a.csv", "n;Step 2;step_1;who\n2.0;B;A;x\n", options{}, "A B ×2", "not used: who"},
		{"a.csv", "id,m1,Jul.93,Aug.93\n1,x,A,B\n2,x,B,B\n", options{Columns: []string{"Jul.93..Aug.93"}}, "A B; B B",
			"not used: id, m1"},
		{"a.csv", "Jul,Aug\nA,B\nB,B\n", options{Header: "yes"}, "A B; B B", `"Jul" to "Aug"`},
		{"a.csv", "Jul,Aug\nA,B\nB,B\n", options{Header: "no"}, "Jul Aug; A B; B B", ""},
		{"a.csv", "A,B,NA\nA,NA,NA\n", options{Missing: []string{"NA"}}, "A B; A", ""},
		{"a.csv", "A,B,NA\nA,NA,NA\n", options{Missing: none}, "A B NA; A NA NA", ""},
		{"a.csv", "id,path,n\n7,A->B->C,2\n8,B->C,1\n9,,1\n", options{}, "A B C ×2; B C", `in column "path", count from "n"`},
		{"a.tsv", "ip\tduration\tgone\nx\t3\tA b;C\ny\t4\tC\n", options{Walk: "gone", Sep: ";"}, "A b C; C",
			"not used: ip, duration"},
		{"a.csv", ",0,1\n0,A,B\n1,B,\n", options{Header: "yes"}, "A B; B", `from column "0" to "1"`},
		{"a.csv", "1,2,3\n2,3\n", options{Header: "no"}, "1 2 3; 2 3", "a place a column"},
		{"a.csv", "2,3,4\n2,3\n", options{}, "2 3 4; 2 3", "a place a column"},
		{"a.csv", "who,15,16,17,18,19,sex\n1,S,S,M,M,M,f\n2,S,S,S,S,M,m\n", options{}, "S S M M M; S S S S M",
			`5 places from column "15" to "19"; not used: who, sex`},
		{"a.csv", "who,1990,1991,1992\nx,S,S,M\ny,S,M,M\n", options{Header: "yes"}, "S S M; S M M", "not used: who"},
		{"a.csv", "home,1,2,3,4,5\nhome,5,6,7,2,1\nhome,9,3,2,6,1\n", options{},
			"home 1 2 3 4 5; home 5 6 7 2 1; home 9 3 2 6 1", "a place a column"},
		{"a.txt", "[CLS] A B\n[CLS] B\n", options{}, "[CLS] A B; [CLS] B", "blanks"},
		{"a.txt", "{A} B\nB {A}\n", options{}, "{A} B; B {A}", "blanks"},
		{"a.csv", "case,place,2019,2020,2021,2022,2023,time\n1,A,9,9,9,9,9,1\n1,B,9,9,9,9,9,0\n", options{}, "B A",
			`time from "time"`},
		{"a.csv", "case,place,sequence_number,step\n1,A,1,2\n1,B,2,1\n", options{}, "B A", `time from "step"`},
		{"a.txt", "[1, 2]\n[2]\n", options{}, "1 2; 2", "JSON Lines"},
		{"a.txt", "trip_id,stop_id,stop_sequence\n7,B,2\n7,A,1\n", options{}, "A B", `time from "stop_sequence"`},
		{"a.ngram", "A,B,3\nB,1\n", options{}, "A B ×3; B", "a walk and its count"},
		{"a.txt", "A B 3\nB A C 1\n", options{Format: sequences.NGram}, "A B ×3; B A C", "the last a count"},
		{"a.csv", "case,time,place\n1,3,C\n2,1,B\n1,1,A\n1,2,B\n2,2,C\n", options{}, "A B C; B C", `time from "time"`},
		{"log.csv", "Case ID;Activity;Complete Timestamp;who\nx;reg ister;2014/10/22 11:15:41.000;u\nx;end;2014/10/22 " +
			"11:15:41.500;u\n" +
			"y;end;2014-10-21T10:00:00+02:00;v\ny;start;2014-10-21T09:00:00+02:00;v\n", options{}, "reg ister end; start end",
			"not used: who"},
		{"log.csv", "case,place\n1,A\n2,B\n1,C\n", options{}, "A C; B", "no time"},
		{"log.csv", "1,A\n2,B\n1,C\n", options{Format: sequences.Events}, "A C; B", "case, place"},
		{"log.csv", "who,when,where\n1,2,A\n1,1,B\n", options{Case: "who", Time: "when", Place: "where"}, "B A",
			`case from "who"`},
		{"log.csv", "case,time,place\n1,5,B\n1,5,A\n1,4,C\n", options{}, "C B A", "1 event has the time of another"},
		{"a.jsonl", "[\"A\",\"B\"]\n{\"path\":[\"B\",3],\"count\":2}\n", options{}, "A B; B 3 ×2", "JSON Lines"},
		{"a.jsonl", `{"case":"x","time":2,"place":"B"}` + "\n" + `{"case":"x","time":1,"place":"A"}`, options{}, "A B",
			"an event a row"},
		{"a.jsonl", `{"path":"A B C","count":2}` + "\n" + `{"path":"B C"}`, options{}, "A B C ×2; B C",
			`a walk a text, key "path", tokens separated by blanks`},
		{"a.json", `[{"Walk":"A -> B"}, {"Walk":["B"]},` + "\n" + `{"Walk":"A b"}]`, options{Sep: "->", Walk: "walk"},
			"A B; B; A b", `key "Walk", tokens separated by "->"`},
		{"a.jsonl", `{"trace":"t","time":2,"activity":"A B"}` + "\n" + `{"trace":"t","time":1,"activity":"C"}`, options{},
			"C A B", "an event a row"},
		{"p.fasta", ">one;size=3\nMk\nV\n;c\n>two\nMAX*\n", options{}, "M K V ×3; M A X *", "lower case"},
	} {
		w, err := sequences.Read(c.name, strings.NewReader(c.in), c.o)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if got := text(w); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
		if !strings.Contains(strings.Join(w.Notes, "\n"), c.said) {
			t.Errorf("%q: notes %q, want one with %q", c.in, w.Notes, c.said)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(c.in))
		z.Close()
		if again, err := sequences.Read(c.name+".gz", &packed, c.o); err != nil || text(again) != c.want {
			t.Errorf("%q, packed: %v", c.in, err)
		}
	}
}

// TestLike wants what may be a graph or walks to be told apart.
func TestLike(t *testing.T) {
	for in, want := range map[string]bool{
		"A B\n": true, "[[\"A\"],[\"B\"]]": true, "{\"path\":[\"A\"]}\n": true, "\ufeff{\"path\":\"A B\"}": true,
		"{\"case\":1,\"place\":\"A\"}\n{": true, xesLog("A"): true, "<?xml version=\"1.0\"?><gpx>": true, "v1,v2\nA,B": true,
		"": false, "[]": false,
		"<?xml version=\"1.0\"?><graphml>": false, "{\"format\":\"ddps-graph\",\n": false, "digraph {": false,
		"{\"layers\":[[[0]],[[]]],\"places\":[[0],[1]]}": false, "{\"x\":1}": false,
	} {
		if sequences.Like([]byte(in)) != want {
			t.Errorf("%q: %v", in, !want)
		}
	}
}

// TestDoubt wants an error that names the option where a file may be read in two ways.
func TestDoubt(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a.txt", "New York,Boston\nBoston,New York\n", "--sep"},
		{"a.txt", "A,B;C\n", "--sep"},
		{"a.txt", "A\tB C\n", "--sep"},
		{"a.txt", "A B 3\nB C 1\n", "--format ngram"},
		{"a.csv", "A,B,3\nB,C,1\n", "--format ngram"},
		{"a.csv", "first,second\nA,B\nB,A\n", "--header"},
		{"a.csv", "1,2020-01-01 10:00,A\n1,2020-01-01 11:00,B\n", "--format events"},
		{"a.csv", "A,B,NA\nA,NA,NA\n", "--missing NA"},
		{"a.txt", "A B END\nB END\n", "--missing END"},
		{"a.csv", "case,when,plaice\n1,2,A\n1,3,B\n1,4,A\n", "--header"},
		{"a.csv", "id,path\n7,A;B,C\n8,\"B,C;A\"\n", "--sep"},
		{"a.csv", ",0,1\n0,A,B\n1,B,\n", "--header"},
		{"a.csv", "1,2,3\n2,3\n", "--header"},
		{"a.jsonl", `{"path":"A"}`, `key "path": say by --walk and --sep what separates the places of a text`},
		{"a.jsonl", `{"way":"A B"}`, "nor an event"},
		{"a.txt", "A b -> B\nB -> A b\n", `say --sep '->', or --sep space`},
		{"a.txt", "A B\nA \"B C\n", `a.txt:2: a quote without an end: "B C; say --sep 'space'`},
		{"a.txt", "", "empty"},
		{"a.txt", "\n \n", "empty"},
		{"a.txt", "A\x00B", "no text"},
		{"a.txt", "A \xff\n", "a.txt:1: it is not UTF-8"},
		{"a.csv", "A,B\nB,\"A\n", "a.csv:2"},
		{"a.jsonl", "[\n\"A\"\n]\n", "several lines"},
		{"a.fa", "ACGT\n", "a.fa:1: letters before the first record"},
		{"a.parquet", "PAR1", "parquet"},
		{"log.csv", "time,place\n1,A\n2,B\n", "--header"},
	} {
		_, err := sequences.Read(c.name, strings.NewReader(c.in), options{})
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "sequences: "+c.name) {
			t.Errorf("%q: %v, want an error with %q", c.in, err, c.want)
		}
	}
}

// TestMistakes counts what is left out of files with typical mistakes: the counts are exact, and the first of each is
// named.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, in string
		o        options
		want     string
		left     []string
	}{
		{"w.csv", "v1,v2,v3,count\nA,B,C,1\nA,,C,1\n,,,\nA,B,,x\nB,,,0\nB,C,,2.5\nA,B\u0007,C,1\n,B,C,1\nC,B,A,4\n",
			options{},
			"A B C; C B A ×4", []string{
				"left out 2: an empty cell between its places (first: w.csv:3: place 2 of 3)",
				"left out 1: no place in it (first: w.csv:4)",
				`left out 3: a count that is no whole number of 1 or more (first: w.csv:5: count "x")`,
				`left out 1: a name that is no text (first: w.csv:8: place 2: "B\a" has the control character U+0007)`,
			}},
		{"log.csv", "case,time,place\n1,2020-01-01,A\n1,Friday,B\n2,2020-01-03,A\n" +
			",2020-01-03,B\n2,2020-01-04,\n2,2020-01-05,C\n3,17,A\n1,2020-01-02,C\n",
			options{}, "A C", []string{
				"left out 1: an event without a case (first: log.csv:5)",
				"left out 1: an event without a place (first: log.csv:6: case 2)",
				`left out 2: a time that cannot be read (first: log.csv:3: time "Friday" is neither a number nor a date, like 2006-01-02 15:04:05)`,
			}},
		{"w.jsonl", "[\"A\",\"B\"]\n[\"A\",\n{\"path\":[\"A\"],\"count\":-1}\n" +
			"[\"A\",null,\"B\"]\n[[\"A\"]]\n[]\n{\"path\":[\"B\"],\"count\":\"2\"}\n[\"B\"] [\"A\"]\n", options{},
			"A B; B ×2", []string{
				"left out 3: a row that cannot be read (first: w.jsonl:2: unexpected EOF)",
				`left out 1: a count that is no whole number of 1 or more (first: w.jsonl:3: count -1)`,
				"left out 1: an empty cell between its places (first: w.jsonl:4: place 2 of 3)",
				"left out 1: no place in it (first: w.jsonl:6)",
			}},
		{"w.jsonl", "{\"Walk\":[\"A\"],\"N\":7}\n{\"path\":[\"A\",null]}\n[\"A\",\"\"]\n[null]\n" +
			"{\"path\":[\"A\"],\"Count\":null}\n{\"path\":[\"A\"],\"count\":[2]}\n{\"path\":[\"A\"],\"count\":2.0}\n" +
			"{\"path\":null}\n", options{},
			"A ×7; A ×2", []string{
				"left out 3: a list whose last place is empty (first: w.jsonl:2: place 2)",
				"left out 2: a count that is no whole number of 1 or more (first: w.jsonl:5: Count null)",
				"left out 1: a row that cannot be read (first: w.jsonl:8: no column case among those of the header)",
			}},
		{"w.jsonl", "{\"case\":1,\"time\":20,\"place\":\"B\"}\n{\"case\":1,\"time\":10,\"place\":\"A\"}\n" +
			"{\"case\":2,\"time\":20,\"place\":\"B\"}\n{\"case\":2,\"place\":\"A\"}\n", options{},
			"A B", []string{"left out 1: a time that cannot be read (first: w.jsonl:4: no time)"}},
		{"w.csv", "v1,v2,count\nA,B,\nB,A\nB,B,2\n", options{}, "B B ×2", []string{
			`left out 2: a count that is no whole number of 1 or more (first: w.csv:2: count "")`}},
		{"w.txt", "# head\nA B\nB A\n", options{}, "A B; B A",
			[]string{"left out 1: a comment at the beginning of the file (first: w.txt:1)"}},
		{"w.fa", ">a\nMK\n>b\n>c;size=0\nMM\n", options{}, "M K", []string{
			"left out 1: no place in it (first: w.fa:3)",
			`left out 1: a count that is no whole number of 1 or more (first: w.fa:4: count "0")`,
		}},
		{"w.ngram", "A,B,1\nA,B\nA,,2\n", options{}, "A B; A ×2", []string{
			`left out 1: a count that is no whole number of 1 or more (first: w.ngram:2: count "B")`,
		}},
	} {
		w, err := sequences.Read(c.name, strings.NewReader(c.in), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var left []string
		for _, l := range w.Report.List() {
			left = append(left, l.String())
		}
		if got := text(w); got != c.want || !slices.Equal(left, c.left) {
			t.Errorf(
				"%s: %s, want %s\nleft out:\n  %s\nwant:\n  %s",
				c.name,
				got,
				c.want,
				strings.Join(left, "\n  "),
				strings.Join(c.left, "\n  "),
			)
		}
	}
}

// A JSON array of walks, on one line or several, is read like JSON Lines; a column of walks is found where --sep says
// what separates its tokens.
func TestArraysAndWalkColumns(t *testing.T) {
	want := walksOf(t, "A B", "A B", "C")
	for name, text := range map[string]string{
		"a.json": `[["A", "B"], ["A", "B"], ["C"]]`,
		"b.json": "\ufeff[\n  [\n    \"A\",\n    \"B\"\n  ],\n  [\"A\", \"B\"],\n  [\"C\"]\n]\n",
		"c.json": "[{\"path\": [\"A\", \"B\"], \"count\": 2},\n {\"path\": [\"C\"]}]",
		"d.json": "[{\"case\": 1, \"time\": 2, \"place\": \"B\"}, {\"case\": 1, \"time\": 1, \"place\": \"A\"},\n" +
			"{\"case\": 2, \"time\": 2, \"place\": \"B\"}, {\"case\": 2, \"time\": 1, \"place\": \"A\"}, " +
			"{\"case\": 3, \"time\": 1, \"place\": \"C\"}]",
		"e.csv": "id,route\n1,A > B\n2,A > B\n3,C\n",
	} {
		o := sequences.ReadOptions{}
		if strings.HasSuffix(name, ".csv") {
			o.Sep = ">"
		}
		w, err := sequences.Read(name, strings.NewReader(text), o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, all := counted(w), counted(want); !maps.Equal(got, all) || w.Report.Total() > 0 {
			t.Errorf("%s: %v, want %v; %v", name, got, all, w.Report.List())
		}
	}
	w, err := sequences.Read("x.json", strings.NewReader("[\n[\"A\"],\n[\"A\", {}],\n[\"B\"]]"), sequences.ReadOptions{})
	if err != nil || w.Len() != 2 || w.Report.List()[0].Line != 3 {
		t.Errorf("%v %v", err, w)
	}
	_, err = sequences.Read("x.json", strings.NewReader("[\n[\"A\"],\n[\"B\""), sequences.ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "x.json:3") {
		t.Errorf("%v", err)
	}
}

// counted are walks by name with how often they stand.
func counted(w *sequences.Walks) map[string]int {
	all := map[string]int{}
	for i := range w.Len() {
		all[strings.Join(w.Names(i), " ")] += w.Count(i)
	}
	return all
}

// TestRepeatedKeys: a key that stands twice in an object is an error that names it; others that are not used are noted.
func TestRepeatedKeys(t *testing.T) {
	for text, want := range map[string]string{
		`{"path":["A"],"path":["B"]}`:                  `x.jsonl:2: an object has the key "path" twice`,
		`{"path":["A"],"Path":["B"]}`:                  `x.jsonl:2: an object has the key "Path" twice`,
		`{"path":["A"],"count":2,"count":3}`:           `x.jsonl:2: an object has the key "count" twice`,
		`{"path":["A"],"count":2,"COUNT":3}`:           `x.jsonl:2: an object has the key "COUNT" twice`,
		`{"path":["A"],"other":{"a":[{"b":1,"b":2}]}}`: `x.jsonl:2: an object has the key "b" twice`,
		`[{"a":1,"a":2}]`:                              `x.jsonl:2: an object has the key "a" twice`,
		`{"case":1,"time":1,"place":"A","time":2}`:     `x.jsonl:2: an object has the key "time" twice`,
	} {
		_, err := sequences.Read("x.jsonl", strings.NewReader("[\"A\"]\n"+text+"\n"), sequences.ReadOptions{})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	w, err := sequences.Read("x.jsonl", strings.NewReader(`{"path":["A"],"id":7}`+"\n"+`{"path":["B"],"cuont":2,"id":8}`),
		sequences.ReadOptions{})
	if err != nil || !slices.Contains(w.Notes, "x.jsonl: keys not used: id, cuont (did you mean count?)") {
		t.Errorf("%v, %q", err, w.Notes)
	}
}

// TestLabels notes a first column of names of walks, and says nothing of places.
func TestLabels(t *testing.T) {
	var labels, places strings.Builder
	for i := range 12 {
		fmt.Fprintf(&labels, "p%d,A,B\n", i)
		fmt.Fprintf(&places, "p%d,A,p%d\n", i, (i+1)%12)
	}
	const want = `such as "p0": if it is the name of the walk`
	for in, noted := range map[string]bool{labels.String(): true, places.String(): false} {
		w, err := sequences.Read("a.csv", strings.NewReader(in), options{})
		if err != nil || strings.Contains(strings.Join(w.Notes, "\n"), want) != noted {
			t.Errorf("%q: %v, notes %q", in, err, w.Notes)
		}
	}
}
