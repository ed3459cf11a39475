package live_test

import "testing"

// Several values are assigned at once as in compiled Go, whatever is called on the way and where one is nil.
func TestPairs(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "f, k := func() int { return 9 }, 64\na, b, m, x := 0, 0, map[string]int{}, []int{1, 2}\nvar "+
		"e error\nz := 1.5\n"+
		"type N struct { next *N; v int }"); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"a, b = k, f()\nfmt.Sprint(a, b)":                                                                                        "64 9",
		"a, b = f(), k\nfmt.Sprint(a, b)":                                                                                        "9 64",
		"a, b = 3, f()\nfmt.Sprint(a, b)":                                                                                        "3 9",
		"a, b = f()+1, len(x)\nfmt.Sprint(a, b)":                                                                                 "10 2",
		"m[`a`], m[`b`] = k, f()\nfmt.Sprint(m)":                                                                                 "map[a:64 b:9]",
		"l := []int{7}\nl, a = append(l, a), 5\nfmt.Sprint(len(l), a)":                                                           "2 5",
		"y := []int{1, 2}\ny[0], y[1] = y[1], f()\nfmt.Sprint(y)":                                                                "[2 9]",
		"y := []int{1, 2}\ny[0], y[1] = y[1], y[0]\nfmt.Sprint(y)":                                                               "[2 1]",
		"func h() (q, r int) { q, r = k, f(); return q, r }\nfmt.Sprint(h())":                                                    "64 9",
		"if a, b = 1, f(); a == 1 { b++ }\nfmt.Sprint(a, b)":                                                                     "1 10",
		"switch a, b = 2, f(); a { case 2: b-- }\nfmt.Sprint(a, b)":                                                              "2 8",
		"n := 0\nfor i, j := 0, 0; i < 3; i, j = i+1, f() { n += j }\nfmt.Sprint(n)":                                             "18",
		"for a, b = 0, f(); a < 2; a++ { b++ }\nfmt.Sprint(a, b)":                                                                "2 11",
		"z, e = 2, nil\nfmt.Sprint(z, e)":                                                                                        "2 <nil>",
		"e, z = nil, -3\nfmt.Sprint(z, e)":                                                                                       "-3 <nil>",
		"w := []int{1}\ne, z, w = nil, float64(f()), nil\nfmt.Sprint(z, e, w)":                                                   "9 <nil> []",
		"p := &N{&N{nil, 2}, 1}\no := p\np, p.next = p.next, nil\nfmt.Sprint(p.v, o.next == nil)":                                "2 true",
		"var q, r *N\nq, r = nil, nil\nfmt.Sprint(q == nil, r == nil)":                                                           "true true",
		"c1, c2 := 5, map[string]int{`a`: 1}\nfmt.Sprint(c1, c2)":                                                                "5 map[a:1]",
		"c3, c4, c5 := N{v: 3}, k, []int{f()}\nfmt.Sprint(c3.v, c4, c5)":                                                         "3 64 [9]",
		"var c6, c7 = k, ([]int{4})\nfmt.Sprint(c6, c7)":                                                                         "64 [4]",
		"func() { u, w := 5, []int{1}; var y, o = []int{2}, 6; fmt.Print(u, w, y, o) }()":                                        "5 [1] [2] 6",
		"if u, w := 5, []int{1}; u == 5 { fmt.Print(u, w) }":                                                                     "5 [1]",
		"for i, w := 3, []int{1}; i < 4; i++ { fmt.Print(i, w) }":                                                                "3 [1]",
		"s1 := ``\nput := func(x string) int { s1 += x; return 1 }\nc8, c9 := put(`a`), []int{put(`b`)}\nfmt.Sprint(s1, c8, c9)": "ab1 [1]",
		"t1, t2 := must(strconv.Atoi(`3`)), f()\nt1, t2 = t2, must(strconv.Atoi(`4`))\nfmt.Sprint(t1, t2)":                       "9 4",
	} {
		if out, err := eval(s, code); err != nil || out != want {
			t.Errorf("%s: %q, %v, want %q", code, out, err, want)
		}
	}
}
