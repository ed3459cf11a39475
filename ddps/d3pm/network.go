package d3pm

import "github.com/ddps-go/ddps/ddps"

// Network is a denoising network: something with parameters, a loss to train them by, and logits. What it
// gives is a correction to the logarithm of the chain's exact denoiser if it is residual, else the logits.
type Network interface {
	// Params returns the live arrays, in an order that never changes.
	Params() []Param
	// LossGrad computes the mean loss of a batch and writes its gradient with respect to each of Params into
	// grads, or only the loss if grads is nil. The same inputs give the same bits.
	LossGrad(b *Batch, grads [][]float32) (Loss, error)
	// Forward sets out, [batch, edge], from each x_t at time t in 1…T. Safe for concurrent use; a sample's
	// numbers do not depend on the rest of the batch.
	Forward(out []float32, xt []ddps.PALM, t int)
}

// Backend returns what the configured network trains on; "" is its own choice.
func (c ModelConfig) Backend() string {
	if b := c.backend(); b != nil {
		return *b
	}
	return ""
}

// SetBackend sets what the configured network trains on. Without a network there is nothing to set.
func (c *ModelConfig) SetBackend(spec string) {
	if b := c.backend(); b != nil {
		*b = spec
	}
}

func (c *ModelConfig) backend() *string {
	switch c.Network {
	case NetworkMLP:
		return &c.MLP.Backend
	case NetworkUNet:
		return &c.UNet.Backend
	}
	return nil
}
