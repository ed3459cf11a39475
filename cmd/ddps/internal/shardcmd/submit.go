package shardcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/shard"
	"github.com/ddps-go/ddps/ddps/shard/submit"
)

// submitOptions are the flags of submit.
type submitOptions struct {
	job     submit.Job
	to      string
	program string
}

// NewSubmit returns the command ddps submit.
func NewSubmit(a *cli.App) *cobra.Command {
	var o submitOptions
	cmd := &cobra.Command{
		Use:   "submit --to local|slurm|k8s --shards N -- COMMAND…",
		Short: "Do a command in shards: here, or by a script for SLURM or Kubernetes",
		Long: "Do a command that has --shard in N shards. local runs it here, some processes at a time, and shows\n" +
			"one progress; a process that is killed loses its shard alone, and the same command does what is\n" +
			"missing. slurm prints a script for sbatch, k8s an Indexed Job for kubectl apply: at most 1,000\n" +
			"indices, of several shards each where there are more, done again where they fail. COMMAND names\n" +
			"the store with -o; 'ddps merge' merges it.",
		Example: `  ddps submit --to local --shards 8 -- sample shipped:heights -n 1000000 -o shards
  ddps submit --to slurm --shards 5000 --throttle 200 -- paths count heights walks.csv -o /shared/shards > count.sh
  ddps submit --to k8s --shards 64 --image registry/ddps:1 --claim data -- sample shipped:heights -n 1000000 -o /data/shards`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkCommand(cmd.Root(), args); err != nil {
				return err
			}
			return submitTo(a, cmd.Context(), args, &o)
		},
	}
	cli.ChoiceVar(cmd, &o.to, "to", "", "local", []string{"local", "slurm", "k8s"}, "where")
	cli.CountVar(cmd, &o.job.Shards, "shards", "", 0, 1, "number of shards (required)")
	cli.CountVar(cmd, &o.job.Throttle, "throttle", "", 0, 0, "processes, or indices, at a time; 0: 2 here, elsewhere "+
		"no limit")
	cli.CountVar(cmd, &o.job.Hours, "hours", "", 0, 0, "SLURM: time limit of an index; 0: the cluster's")
	cli.CountVar(cmd, &o.job.CPUs, "cpus", "", 1, 1, "CPUs of an index")
	cli.CountVar(cmd, &o.job.Memory, "memory", "", 2, 1, "memory of an index in GiB")
	f := cmd.Flags()
	f.StringVar(&o.job.Name, "name", "ddps", "`name` of the job")
	f.StringVar(&o.job.Image, "image", "", "Kubernetes: container `image`")
	f.StringVar(&o.job.Claim, "claim", "", "Kubernetes: `name` of a PersistentVolumeClaim, mounted at /data")
	f.StringVar(&o.program, "program", "ddps", "the program's `name` where the job runs")
	cli.RequireFlags(cmd, "shards")
	return cmd
}

// checkCommand returns an error for a command that has no shards, flags that it does not know, or no store.
func checkCommand(root *cobra.Command, args []string) error {
	for _, word := range args {
		if word == "--shard" || strings.HasPrefix(word, "--shard=") {
			return cli.Usagef("COMMAND has --shard: submit adds it")
		}
	}
	target, rest, err := root.Find(args)
	if err != nil || target == root {
		return cli.Usagef("COMMAND: there is no command %q", args[0])
	}
	name := strings.TrimPrefix(target.CommandPath(), root.Name()+" ")
	if target.Flags().Lookup("shard") == nil {
		return cli.Usagef("COMMAND: %q has no --shard", name)
	}
	if err := target.ParseFlags(rest); err != nil {
		return cli.Usagef("COMMAND: %q: %v", name, err)
	}
	if out := target.Flags().Lookup("output"); out != nil && out.Value.String() == "" {
		return cli.Usagef("COMMAND: %q names no store: give it -o and a directory or bucket", name)
	}
	return nil
}

func submitTo(a *cli.App, ctx context.Context, args []string, o *submitOptions) error {
	if o.job.Shards > shard.MaxShards {
		return cli.Usagef("--shards: expected %s or less", cli.Whole(shard.MaxShards))
	}
	o.job.Command = append([]string{o.program}, args...)
	var text string
	var err error
	switch o.to {
	case "slurm":
		text, err = submit.SLURM(o.job)
	case "k8s":
		text, err = submit.Kubernetes(o.job)
	default:
		program, err := os.Executable()
		if err != nil {
			return err
		}
		return local(a, ctx, append([]string{program}, args...), o.job)
	}
	if err != nil {
		return cli.Usagef("%s", cli.Message(err))
	}
	return a.WriteFile("", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// local does all shards in processes of their own. One that fails leaves the others to be done.
func local(a *cli.App, ctx context.Context, command []string, j submit.Job) error {
	throttle := j.Throttle
	if throttle == 0 {
		throttle = 2
	}
	p := a.NewProgress("shards", 0, j.Shards)
	defer p.Done()
	var mu sync.Mutex
	var failed []string
	done := 0
	var grp errgroup.Group
	grp.SetLimit(throttle)
	for i := 1; i <= j.Shards && ctx.Err() == nil; i++ {
		grp.Go(func() error {
			why := worker(ctx, append(command[1:len(command):len(command)], "--quiet", "--shard",
				shard.One(i, j.Shards).String()), command[0])
			mu.Lock()
			defer mu.Unlock()
			if why != "" {
				failed = append(failed, fmt.Sprintf("%d/%d: %s", i, j.Shards, why))
			} else {
				done++
			}
			p.Set(done, "")
			return nil
		})
	}
	grp.Wait()
	p.Done()
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(failed) > 0 {
		return errors.New("shards failed, and the same command does them again: " + strings.Join(failed[:min(len(failed), 5)],
			"; "))
	}
	return nil
}

// worker runs a process and returns why it failed: its last line on standard error.
func worker(ctx context.Context, args []string, program string) string {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var errs strings.Builder
	cmd.Stderr = &errs
	err := cmd.Run()
	if err == nil {
		return ""
	}
	last := err.Error()
	for in := bufio.NewScanner(strings.NewReader(errs.String())); in.Scan(); {
		if !strings.HasPrefix(in.Text(), "Try '") && strings.TrimSpace(in.Text()) != "" {
			last = err.Error() + ", " + in.Text()
		}
	}
	return last
}
