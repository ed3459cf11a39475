package schema

import (
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/ddps-go/ddps/ddps/shard/submit"
)

// A Job is one of batch/v1: every field is known and of its type, and the rules of Indexed Jobs hold.
func TestJob(t *testing.T) {
	for _, shards := range []int{1, 7, 5000} {
		for _, claim := range []string{"", "data"} {
			j := submit.Job{Name: "count-1", Command: []string{"ddps", "a b", "it's", `"q"`, "$HOME", "x: y", "#", "-o",
				"/data/s"},
				Shards: shards, Throttle: 50, CPUs: 2, Memory: 4, Image: "registry/ddps:1", Claim: claim}
			text, err := submit.Kubernetes(j)
			if err != nil {
				t.Fatal(err)
			}
			var job batch.Job
			if err := yaml.UnmarshalStrict([]byte(text), &job); err != nil {
				t.Fatalf("%v:\n%s", err, text)
			}
			if job.APIVersion != "batch/v1" || job.Kind != "Job" || len(validation.IsDNS1123Subdomain(job.Name)) > 0 {
				t.Errorf("%s %s %q", job.APIVersion, job.Kind, job.Name)
			}
			s, pod := job.Spec, job.Spec.Template.Spec
			if *s.CompletionMode != batch.IndexedCompletion || int(*s.Completions) != j.Indices() || *s.Parallelism < 1 ||
				*s.BackoffLimitPerIndex != 3 || pod.RestartPolicy != core.RestartPolicyNever || len(pod.Containers) != 1 {
				t.Errorf("%+v", s)
			}
			c := pod.Containers[0]
			if c.Image != j.Image || len(c.Args) != 1 || !strings.Contains(c.Args[0], submit.Quote(j.Command)) {
				t.Errorf("%+v", c)
			}
			if cpu := c.Resources.Requests.Cpu().Value(); cpu != 2 || c.Resources.Limits.Memory().Value() != 4<<30 {
				t.Errorf("%+v", c.Resources)
			}
			if n := len(pod.Volumes); n != len(c.VolumeMounts) || (n == 1) != (claim != "") ||
				n == 1 && (pod.Volumes[0].Name != c.VolumeMounts[0].Name ||
					pod.Volumes[0].PersistentVolumeClaim.ClaimName != claim) {
				t.Errorf("%+v, %+v", pod.Volumes, c.VolumeMounts)
			}
		}
	}
	var job batch.Job
	if err := yaml.UnmarshalStrict([]byte("spec: {completionMod: Indexed}"), &job); err == nil {
		t.Error("a field that there is not is decoded")
	}
}
