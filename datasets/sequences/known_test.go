package sequences_test

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// A header is read as one or refused by the name of the column that is wrong; it is never a walk.
func TestHeaderIsNoWalk(t *testing.T) {
	for _, c := range []struct {
		in   string
		o    options
		want string // the walks, or a part of the error
	}{
		{"v1,v2,v4\nA,B,C\n", options{}, "no column v3"},
		{"v1,v3,count\nA,C,2\n", options{}, "no column v2"},
		{"v2,v3\nA,C\n", options{}, "no column v1"},
		{"v0,v2\nA,C\n", options{}, "no column v1"},
		{"v1,v3,note,who,when\nA,C,x,y,z\n", options{}, "no column v2"},
		{"step 1,step 3\nA,C\n", options{}, "no column step 2"},
		{"step 1,step 2,step 2\nA,B,C\n", options{}, "columns 2 and 3 are both called step 2"},
		{"Stop_1;place 2\nA;B\n", options{}, `columns "Stop_1" and "place 2"`},
		{"v1,v2,count,Count\nA,B,2,3\n", options{}, "columns 3 and 4 are both called Count"},
		{"v1,v2,n,count\nA,B,2,3\n", options{}, "A B ×3"},
		{"v1,count\nA,2\n", options{}, "A ×2"},
		{"v2,count\nA,2\n", options{}, "no column v1"},
		{"case,time,place,case\n1,1,x,2\n", options{}, "columns 1 and 4 are both called case"},
		{"case,time,case,where\n1,1,x,2\n", options{}, "columns 1 and 3 are both called case"},
		{"case,time\n1,2\n", options{}, "header?"},
		{"path,count\nA B,2\n", options{}, "A B ×2"},
		{"path,route\nA B,B A\n", options{}, "header?"},
		{"path,Path\nA B,B A\n", options{}, "columns 1 and 2 are both called Path"},
		{"path\nA B C\nB C\n", options{}, "A B C; B C"},
		{"Walk\nA B C\nB C\n", options{}, "A B C; B C"},
		{"\"trajectory\"\r\nA;B\r\nB\r\n", options{}, "A B; B"},
		{"path\nA,B\nB\n", options{}, "A B; B"},
		{"path\n\"A,B\"\n", options{}, "A B"},
		{"# a note\n\npath\nA>B\nB\n", options{Sep: ">"}, "A B; B"},
		{"gone\nA>B\nB\n", options{Walk: "gone", Sep: ">"}, "A B; B"},
		{"path\nAB\nB\n", options{}, "say by --sep"},
		{"path\nAB\nB\n", options{Sep: "letters"}, "A B; B"},
		{"path\nA 3\nB 1\n", options{}, "--format ngram"},
		{"path\nA B\n", options{Header: "no"}, "path; A B"},
		{"place\nA\nB\n", options{}, "header?"},
		{"from,to\nA,B\n", options{}, "header?"},
		{"day1,day2,day4\nA,B,C\n", options{}, "header?"},
		{"day1,day2\n", options{}, "day1 day2"},
		{"day1,day2\nday2,day3\n", options{}, "day1 day2; day2 day3"},
		{"v1 v2\nA B\n", options{}, "header?"},
		{"case time place\n1 1 A\n", options{}, "header?"},
		{"v1,v2\nA,B,C\n", options{}, "3 fields, but 2 in the header"},
		{"v1,v2\nA,B, ,\n", options{}, "A B"},
		{"a,b,a\nA,B,C\n", options{Columns: []string{"a", "b"}}, "columns 1 and 3 are both called a"},
		{"v1,v2,v4\nA,B,C\n", options{Columns: []string{"v1..v4"}}, "A B C"},
		{"v1,v2,v4\nA,B,C\n", options{Header: "no"}, "v1 v2 v4; A B C"},
		{"v1,v2,v4\nv2,v1,v3\n", options{}, "v1 v2 v4; v2 v1 v3"}, // places, which are called so below as well
		{"page,url,page\nurl,page,item\n", options{}, "page url page; url page item"},
		{"stop 3 stop 4\nstop 4 stop 9\n", options{}, "stop 3 stop 4; stop 4 stop 9"},
	} {
		for _, name := range []string{"a.csv", "a.txt"} {
			if strings.Contains(c.in, ", ") || strings.Contains(c.in, "p 1") || strings.Contains(c.in, "A B,") ||
				strings.Contains(c.in, "p_1") || strings.Contains(c.in, "\"A") {
				name = "a.csv" // blanks and commas are no walks of lines
			}
			w, err := sequences.Read(name, strings.NewReader(c.in), c.o)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = text(w)
			}
			if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
				t.Errorf("%s %q: %s, want %s", name, c.in, got, c.want)
			}
		}
	}
}
