// Package schema holds tests alone: the Jobs that 'ddps submit --to k8s' prints, decoded strictly into the types of
// Kubernetes' API, which the main module does not depend on.
package schema
