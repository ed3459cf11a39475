package main

import "testing"

// A condition that every path meets, and one that is given twice, change no bit of the samples.
func TestConditionsSameBits(t *testing.T) {
	draw := func(more ...string) string {
		out, _ := good(t, append([]string{"sample", "-q", "shipped:heights", "-n", "300", "--seed", "5"}, more...)...)
		return out
	}
	const a, b = "visit(place 30)", "avoid(place 7)"
	for _, pair := range [][2]string{{a, a + " and " + a}, {a, a + " or " + a}, {a, "not not " + a},
		{a + " and " + b, b + " and " + a + " and " + b}} {
		if draw("--where", pair[0]) != draw("--where", pair[1]) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
	if draw() != draw("--where", a+" or not "+a) {
		t.Errorf("a condition that all meet changes the samples")
	}
}
