package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/plaintext"
	"github.com/ddps-go/ddps/internal/ram"
)

// Config is what a run is made of, besides its graph and paths: the run directory's config.toml.
type Config struct {
	Hold     float64 `toml:"hold"`      // share of the paths' mass in the validation set, by distinct paths, in [0, 1)
	HoldSeed uint64  `toml:"hold_seed"` // which ones
	InitSeed uint64  `toml:"init_seed"` // of the network's first weights
	Keep     int     `toml:"keep"`      // checkpoints kept, the newest, at least 1

	// TuneKappa lets the validation paths choose model.kappa among chain.KappaGrid; without any it is as given.
	TuneKappa bool `toml:"tune_kappa"`
	// TuneMixture lets them choose model.mixture.ridge and smooth, whatever is given, and the chain if it is better;
	// without any they are as given.
	TuneMixture bool `toml:"tune_mixture"`
	// ValidationBy is what is drawn for validation: ByPath distinct paths, none of which trains, or ByWalk walks. "" is
	// ByPath; a new run has ByWalk in its place for fewer than 1,000 paths that are taken twice or more on average.
	ValidationBy string `toml:"validation_by,omitempty"`
	// Refit lets a stack be fitted again to all paths, with what the validation paths have chosen.
	Refit bool `toml:"refit,omitempty"`
	// Budget bounds the fit of a stack, in time: schedules are shortened to keep it. 0: none.
	Budget time.Duration `toml:"budget,omitzero"`
	// Where is a condition in the language of package where that samples of the run meet unless another is given; ""
	// is none. It names no rewards, and does not change what is learned.
	Where string       `toml:"where,omitempty"`
	Model model.Config `toml:"model"`
	Train train.Config `toml:"train"`
}

// What is drawn for validation.
const (
	ByPath = "path"
	ByWalk = "walk"
)

// Check returns an error that names the setting out of range; the model's and the training's own are checked
// where they are made.
func (c Config) Check() error {
	if !(c.Hold >= 0 && c.Hold < 1) {
		return fmt.Errorf("run: hold is %v, must be in [0, 1)", c.Hold)
	}
	if c.ValidationBy != "" && c.ValidationBy != ByPath && c.ValidationBy != ByWalk {
		return fmt.Errorf("run: validation_by is %q, must be %s or %s", c.ValidationBy, ByWalk, ByPath)
	}
	if c.Budget < 0 {
		return fmt.Errorf("run: budget is %v, must be at least 0", c.Budget)
	}
	if c.Model.Stacked() && c.Hold == 0 {
		return errors.New("run: hold is 0: the weights of a stack are those of validation paths")
	}
	if c.Budget > 0 && !c.Model.Stacked() {
		return errors.New("run: budget is of a stack, and the model is none")
	}
	if c.Where != "" {
		x, err := where.Parse(c.Where)
		if err != nil {
			return fmt.Errorf("run: where: %w", err)
		}
		for _, total := range x.Totals() {
			if total != "gc" {
				return fmt.Errorf("run: where: the condition of a run names no %s: give such a one when sampling", total)
			}
		}
	}
	if c.Keep < 1 {
		return fmt.Errorf("run: keep is %d, must be at least 1", c.Keep)
	}
	if err := model.CheckNetwork(c.Model.Network); err != nil {
		return fmt.Errorf("run: model.network: %w", err)
	}
	if !(c.Model.Kappa >= 0) || math.IsInf(c.Model.Kappa, 1) {
		return fmt.Errorf("run: the pseudo-count kappa is %v, must be a number of at least 0", c.Model.Kappa)
	}
	return nil
}

// ReadConfig reads a TOML file over the settings in base, in which a network without settings has its defaults. A file
// that says model.kappa and not tune_kappa means that number: none is chosen; so it is with the mixture's ridge and
// smooth, and tune_mixture. The table model.pair, settings of a network that was removed, is skipped where the model
// has another. The error names the file, and the line or the key that is not known.
func ReadConfig(path string, base Config) (Config, error) {
	data, err := plaintext.ReadUpTo(path, maxConfig)
	if err != nil {
		return base, fmt.Errorf("run: config: %w", err)
	}
	base.Model = base.Model.Own() // a file need not have the tables of networks that the model does not have
	text, err := decodable(string(data))
	if err != nil {
		return base, fmt.Errorf("run: config: %s%w", path, err)
	}
	meta, err := toml.Decode(text, &base)
	if parse := (toml.ParseError{}); errors.As(err, &parse) {
		return base, fmt.Errorf("run: config: %s:%d: %s", path, parse.Position.Line, parse.Message)
	}
	if err != nil {
		return base, fmt.Errorf("run: config: %s: %w", path, err)
	}
	if meta.IsDefined("model", "kappa") && !meta.IsDefined("tune_kappa") {
		base.TuneKappa = false
	}
	if (meta.IsDefined("model", "mixture", "ridge") || meta.IsDefined("model", "mixture", "smooth")) &&
		!meta.IsDefined("tune_mixture") {
		base.TuneMixture = false
	}
	if err := base.Check(); err != nil {
		return base, fmt.Errorf("run: config: %s: %w", path, err)
	}
	if keys := unknownKeys(meta); len(keys) > 0 {
		return base, fmt.Errorf("run: config: %s: unknown key %s", path, strings.Join(keys, ", "))
	}
	return base, nil
}

// unknownKeys lists the keys of a file that no setting has, those of the table model.pair left out.
func unknownKeys(meta toml.MetaData) (keys []string) {
	for _, k := range meta.Undecoded() {
		if len(k) < 2 || k[0] != "model" || k[1] != "pair" {
			keys = append(keys, k.String())
		}
	}
	return keys
}

// Write writes the configuration as TOML: of the networks' tables, model.mlp and so on, that of the model's own alone.
func (c Config) Write(w io.Writer) error {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return err
	}
	drop := false
	for line := range strings.Lines(b.String()) {
		if head := strings.TrimSpace(line); strings.HasPrefix(head, "[") {
			drop = c.otherNetwork(strings.Trim(head, "[]"))
		}
		if drop {
			continue
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// otherNetwork reports whether a table of the file is of a network, or a stack, that the model does not have.
func (c Config) otherNetwork(table string) bool {
	name, ok := strings.CutPrefix(table, "model.")
	name, _, _ = strings.Cut(name, ".")
	if ok && name == "stack" {
		return !c.Model.Stacked()
	}
	return ok && name != c.Model.Network && slices.Contains(model.NetworkNames(), name)
}

// same reports whether two configurations are the same but for networks that the model does not have.
func (c Config) same(d Config) bool {
	var a, b strings.Builder
	return c.Write(&a) == nil && d.Write(&b) == nil && a.String() == b.String()
}

// exists reports whether there is anything at path that can be seen.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// maxConfig is the most bytes of a configuration file.
const maxConfig = 1 << 20

var seed = regexp.MustCompile(`^(\s*(?:hold_seed|init_seed|seed)\s*=\s*)([-+]?[0-9_]+)(.*)$`)

// decodable returns the text of a configuration as the TOML parser takes it: seeds of more than 2⁶³−1, which TOML's
// integers do not reach, as the negative number of the same bits. It is an error, which begins with the line, if a seed
// is negative or above 2⁶⁴−1, or too much is nested.
func decodable(text string) (string, error) {
	if err := ram.CheckTOML(text); err != nil {
		return "", err
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if m := seed.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			v, err := strconv.ParseUint(strings.TrimPrefix(strings.ReplaceAll(m[2], "_", ""), "+"), 10, 64)
			if err != nil {
				return "", fmt.Errorf(":%d: %s is %s, must be in 0…2⁶⁴−1", n, strings.TrimRight(strings.TrimSpace(m[1]), " \t="),
					m[2])
			}
			line = fmt.Sprintf("%s%d%s\n", m[1], int64(v), m[3])
		}
		b.WriteString(line)
	}
	return b.String(), nil
}
