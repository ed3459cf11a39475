package where_test

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// How likely is a condition under a chain, how many paths meet it, and which is the most likely of them?
func Example() {
	g := ddps.Example()
	x, err := where.Parse(`regex('A (C|D) .* H') or not visit({"B", "C"}, layer 2)`)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := x.Condition(g, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	given, logp, err := guide.GivenDistribution(chain.Uniform(g).Distribution(), c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f of all paths, %v of them\n", math.Exp(logp), guide.Count(g, c))
	for _, v := range given.KBest(1)[0].Path {
		fmt.Print(g.Name(v), " ")
	}
	// Output:
	// 0.500 of all paths, 5 of them
	// A C E H
}

// An error points at the character, and says how it is written.
func ExampleError_Caret() {
	_, err := where.Parse(`visit("B") and visit('C')`)
	fmt.Println(err)
	fmt.Println(err.(*where.Error).Caret())
	// Output:
	// where: character 22: names are written in double quotes: write "C"
	// visit("B") and visit('C')
	//                      ^
}
