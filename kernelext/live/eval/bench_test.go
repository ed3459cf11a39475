package eval_test

import "testing"

func benchmark(b *testing.B, setup, code string) {
	w := newWorld()
	if _, err := w.run(setup); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w.out.Reset()
		if _, err := w.run(code); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCell(b *testing.B) { benchmark(b, "", "x := 1\nx + 1") }

func BenchmarkReady(b *testing.B) {
	for b.Loop() {
		newWorld()
	}
}

func BenchmarkAdd(b *testing.B) {
	benchmark(b, "", "func() { s := 0; for i := 0; i < 10_000_000; i++ { s += i }; fmt.Println(s) }()")
}

func BenchmarkAddTop(b *testing.B) {
	benchmark(b, "", "s := 0.0\nfor i := range 10_000_000 { s += float64(i) }\ns")
}

func BenchmarkFib(b *testing.B) {
	benchmark(b, "func fib(n int) int { if n < 2 { return n }; return fib(n-1)+fib(n-2) }", "fib(25)")
}

func BenchmarkSieve(b *testing.B) {
	benchmark(b, "", `func() { n := 1_000_000; c := make([]bool, n); k := 0; for i := 2; i < n; i++ { if !c[i] { k++; for j := 2*i; j < n; j += i { c[j] = true } } }; fmt.Println(k) }()`)
}

func BenchmarkMap(b *testing.B) {
	benchmark(b, "", "func() { m, w, s := map[int]int{}, map[string]float64{`a`: 1}, 0; for i := range 500_000 { m[i%1000]++; "+
		"s += m[i%7]; w[`a`] += w[`a`] }; for k, v := range m { s += k * v }; fmt.Println(s) }()")
}

func BenchmarkRedefine(b *testing.B) {
	benchmark(b, "", "type T struct{ A, B int }\nfunc (t T) Sum() int { return t.A + t.B }\nbig := make([]int, "+
		"100_000)\nt := T{1, 2}\nfunc f() int { return t.Sum() + len(big) }\nf()")
}
