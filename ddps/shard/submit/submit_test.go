package submit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// job is one whose arguments need quotes.
func job(shards int) Job {
	return Job{Name: "count-1", Command: []string{"echo", "a b", "it's", "$HOME", "", "-o", "out"}, Shards: shards,
		Throttle: 50, Hours: 2, CPUs: 2, Memory: 4,
		Image: "registry/ddps:1", Claim: "data"}
}

// The indices of the script do each shard once, with the arguments as they were.
func TestSLURM(t *testing.T) {
	for _, shards := range []int{1, 7, 1000, 2500} {
		j := job(shards)
		text, err := SLURM(j)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, fmt.Sprintf("#SBATCH --array=0-%d%%50\n", min(shards, 1000)-1)) ||
			!strings.Contains(text, "#SBATCH --requeue\n") {
			t.Error(text)
		}
		file := filepath.Join(t.TempDir(), "job.sh")
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		lint(t, file)
		var done []string
		for index := range j.Indices() {
			if shards > 10 && index%499 != 0 {
				for s := index + 1; s <= shards; s += j.Indices() {
					done = append(done, fmt.Sprint(s))
				}
				continue
			}
			sh := exec.Command("sh", file)
			sh.Env = append(os.Environ(), fmt.Sprint("SLURM_ARRAY_TASK_ID=", index))
			out, err := sh.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for line := range strings.Lines(string(out)) {
				begin, end := "a b it's $HOME  -o out --shard ", fmt.Sprintf("/%d\n", shards)
				if !strings.HasPrefix(line, begin) || !strings.HasSuffix(line, end) {
					t.Fatalf("%q", line)
				}
				done = append(done, line[len(begin):len(line)-len(end)])
			}
		}
		slices.Sort(done)
		if n := len(done); n != shards || len(slices.Compact(done)) != shards {
			t.Errorf("%d shards: %d done", shards, n)
		}
	}
}

// lint checks a script with bash -n and, where it is installed, shellcheck.
func lint(t *testing.T, file string) {
	t.Helper()
	for _, tool := range [][]string{{"bash", "-n"}, {"shellcheck"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			continue
		}
		if out, err := exec.Command(tool[0], append(tool[1:], file)...).CombinedOutput(); err != nil {
			t.Errorf("%q: %v: %s", tool, err, out)
		}
	}
}

// An index whose command fails once goes on with its other shards, and fails.
func TestFailedShard(t *testing.T) {
	j := job(2001)
	j.Command = []string{"sh", "-c", "echo $1; test $1 != 1001/2001", "x", "1"}
	text := "index=0\n" + strings.ReplaceAll(j.loop(), "'echo $1; test $1 != 1001/2001' x 1 --shard",
		"'echo $1; test $1 != 1001/2001' x")
	out, err := exec.Command("sh", "-c", text).Output()
	if err == nil || string(out) != "1/2001\n1001/2001\n2001/2001\n" {
		t.Errorf("%v, %q", err, out)
	}
}

func TestRefused(t *testing.T) {
	for _, change := range []func(*Job){
		func(j *Job) { j.Shards = 0 }, func(j *Job) { j.Command = nil }, func(j *Job) { j.CPUs = 0 },
		func(j *Job) { j.Memory = 0 },
		func(j *Job) { j.Name = "a\nb" }, func(j *Job) { j.Name = "" }, func(j *Job) { j.Name = "-a" },
	} {
		j := job(3)
		change(&j)
		if _, err := SLURM(j); err == nil {
			t.Errorf("%+v", j)
		}
		if _, err := Kubernetes(j); err == nil {
			t.Errorf("%+v", j)
		}
	}
	j := job(3)
	j.Image = ""
	if _, err := Kubernetes(j); err == nil {
		t.Error("no image")
	}
}
