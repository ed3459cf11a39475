package notebooks

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPins: what the notebooks need is in the lock file at the same version, and everything there has hashes.
func TestPins(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	locked := map[string]string{}
	plain := func(name string) string {
		return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
	}
	pin := regexp.MustCompile(`^([A-Za-z0-9._-]+)==([^ ;\\]+)`)
	for _, file := range []string{"requirements.lock", "../bench/torch/requirements.txt"} {
		for _, entry := range regexp.MustCompile(`(?m)^[A-Za-z].*(\n +.*)*`).FindAllString(read(file), -1) {
			m := pin.FindStringSubmatch(entry)
			if m == nil || !strings.Contains(entry, "--hash=sha256:") {
				t.Errorf("%s: no version or no hash: %s", file, entry)
				continue
			}
			if file == "requirements.lock" {
				locked[plain(m[1])] = m[2]
			}
		}
	}
	n := 0
	for line := range strings.Lines(read("requirements.txt")) {
		if m := pin.FindStringSubmatch(line); m != nil {
			if n++; locked[plain(m[1])] != strings.TrimSpace(m[2]) {
				t.Errorf("%s is %s in requirements.txt, %q in the lock file", m[1], m[2], locked[plain(m[1])])
			}
		}
	}
	if n == 0 || len(locked) < n {
		t.Errorf("%d pins, %d locked", n, len(locked))
	}
}
