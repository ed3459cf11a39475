package tokens_test

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/tokens"
)

func TestDash(t *testing.T) {
	for text, want := range map[string]string{
		"A - B - C;A - C;A": "-", "Dock 4 – Park;Park – Dock 4": "–", "A / B": "/", "A - B;A B": "", "A B - C;A B C": "",
		"- A B": "", "A B -": "", "A;B": "", "A-B C": "", "": "",
	} {
		if got := tokens.Dash(strings.Split(text, ";")); got != want {
			t.Errorf("%s: %q, expected %q", text, got, want)
		}
	}
	if _, ok := tokens.Within([]string{"A - B", "B - A"}); ok {
		t.Error("a dash between places, or a place called -, is in no doubt")
	}
}
