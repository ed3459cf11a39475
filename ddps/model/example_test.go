package model_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
)

// The probabilities of paths under a model that was written and read again.
func ExampleModel_LogProb() {
	cfg := model.DefaultConfig()
	cfg.Network = model.NetworkNone // the chain alone
	m, err := model.New(chain.Uniform(ddps.Example()), cfg, 0)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		log.Fatal(err)
	}
	if m, err = model.Load(&file); err != nil {
		log.Fatal(err)
	}
	paths, err := m.Sampler().Sample(context.Background(), 2, 1)
	if err != nil {
		log.Fatal(err)
	}
	logp, err := m.LogProb(context.Background(), paths)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range logp {
		fmt.Printf("%.3f\n", math.Exp(x))
	}
	// Output:
	// 0.100
	// 0.100
}
