package ddps

import "testing"

func TestCommunitiesErrors(t *testing.T) {
	bad(t, exitUsage, []string{"preset", "paper"}, "reproduce", "communities", "--preset", "huge")
	bad(t, exitUsage, []string{"output"}, "reproduce", "communities", "--output", "")
	bad(t, exitError, []string{"tpu"}, "reproduce", "communities", "--backend", "tpu")
}
