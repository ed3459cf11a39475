package study

import "github.com/ddps-go/ddps/ddps/compare"

// GuidanceRow is the result of one grid point of a Guidance.
type GuidanceRow struct {
	Graph        string  `csv:"graph"`
	Model        string  `csv:"model"` // its network and what it corrects
	Key          string  `csv:"key"`   // of the model's weights
	RMax         int     `csv:"r_max"`
	Instance     int     `csv:"instance"`
	P            float64 `csv:"p_max"`        // probability of the greatest reward under the exact distribution
	Distribution string  `csv:"distribution"` // a guide's name, or a reference's
	Kernel       string  `csv:"kernel"`
	Lambda       float64 `csv:"lambda"`
	Steps        int     `csv:"steps"`
	Samples      int     `csv:"samples"`
	Seed         uint64  `csv:"seed"`
	Valid        float64 `csv:"valid"` // share that are paths
	Reward       float64 `csv:"reward"`
	RewardStd    float64 `csv:"reward_std"`
	AtMax        float64 `csv:"at_max"`
	Distinct     int     `csv:"distinct"` // paths

	// Exact are the distances from the exact target, a distribution given the greatest reward: of the data on Toy, on maps
	// of a model without a network, beside a network the true distribution.
	Exact compare.Distances `csv:"exact_,inline"`
	// Hits is how many samples at λ = 0 attain the greatest reward: the paper's target, of which Own are the distances.
	Hits int               `csv:"hits"`
	Own  compare.Distances `csv:"own_,inline"`

	// KL(samples ‖ exact target), in nats, where paths are listed; +Inf where a sample is none of its paths
	Reverse float64 `csv:"-"`

	Preset  string `csv:"preset"`  // of the data, and of training
	Trained string `csv:"trained"` // what training the model took
	Built   string `csv:"built"`   // of what program: revision, Go, platform
}
