//go:build unix

package kernel

import (
	"slices"
	"sync"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// queue holds the shell's requests until their turn, however many.
type queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	list  []*request
}

// request is a message of the shell; an aborted one is answered so and not carried out.
type request struct {
	*jupyter.Message
	aborted bool
}

func newQueue() *queue {
	q := &queue{}
	q.ready = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(m *jupyter.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, &request{Message: m})
	q.ready.Signal()
}

func (q *queue) take() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.list) == 0 {
		q.ready.Wait()
	}
	r := q.list[0]
	q.list = q.list[1:]
	return r
}

// waits reports whether a cell waits.
func (q *queue) waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.list, func(r *request) bool { return r.Kind() == "execute_request" })
}

// abort marks all cells that wait.
func (q *queue) abort() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.list {
		r.aborted = r.aborted || r.Kind() == "execute_request"
	}
}
