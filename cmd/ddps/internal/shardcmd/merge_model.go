package shardcmd

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/em"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/shard"
)

// sumsOf returns the model before the round of a job of train, and the statistics of a set's shards.
func sumsOf(ctx context.Context, s *shard.Store, set *shard.Set) (m *model.Model, sums *em.Sums, err error) {
	err = s.ReadHead(ctx, set.Job, func(r io.Reader) (err error) {
		m, err = model.Load(r)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	sums = em.NewSums(m.Mixture)
	return m, sums, each(ctx, s, set, sums.Vector.AddFrom)
}

// writeModel writes the model that the statistics of all shards give.
func writeModel(a *cli.App, ctx context.Context, s *shard.Store, set *shard.Set, o *mergeOptions) (string, error) {
	if o.out == "" || o.out == "-" {
		return "", cli.Usagef("-o is missing: the file of the model, like model.safetensors")
	}
	if err := a.CheckOut(o.out); err != nil {
		return "", err
	}
	before, sums, err := sumsOf(ctx, s, set)
	if err != nil {
		return "", err
	}
	kappa, err := strconv.ParseFloat(set.Job.Settings["kappa"], 64)
	if err != nil {
		return "", fmt.Errorf("setting kappa of the shards: %w", err)
	}
	m, err := sums.Model(before, kappa)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s walks, NLL before this round %.6f nats per walk", cli.Whole(int(sums.Walks())), sums.NLL()),
		a.WriteFile(o.out, m.Save)
}

// joinSums writes the sum of the statistics of a set as one payload.
func joinSums(ctx context.Context, s *shard.Store, set *shard.Set, w io.Writer) error {
	_, sums, err := sumsOf(ctx, s, set)
	if err != nil {
		return err
	}
	return sums.Vector.Write(w)
}
