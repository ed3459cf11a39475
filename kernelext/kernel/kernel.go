//go:build unix

package kernel

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// kernel is a running kernel.
type kernel struct {
	Config
	conn    connection
	sign    *signer
	log     *log.Logger
	session string
	ctx     context.Context
	stop    context.CancelFunc

	shell, control, stdin, iopub, heartbeat *socket

	folder  *folder
	queue   *queue
	live    func() (Live, error) // the session, made at its first use
	history history
	count   int
	numbers map[int]int // GoNB's number of a cell to ours
	gonbs   int         // how many cells GoNB has numbered
	comms   comms

	controls *controls
	id       string // Jupyter's of this kernel, "" if not known

	mu      sync.Mutex
	gonb    *starting // the compiler, or its start
	call    *call     // the request that GoNB is at
	late    string    // id of a question that GoNB is still at, whose asker waits no more; "" for none
	running *running  // the cell that is being run
}

// Run runs a kernel until a front end shuts it down, its parent is gone, or ctx is cancelled.
func Run(ctx context.Context, c Config) error {
	k := &kernel{Config: c, session: newID(), queue: newQueue(), numbers: map[int]int{}, comms: comms{target: map[string]string{}}}
	if k.Log == nil {
		k.Log = os.Stderr
	}
	k.log = log.New(k.Log, "ddps kernel: ", 0)
	var err error
	if k.conn, err = readConnection(c.Connection); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if k.Dir, err = filepath.Abs(c.Dir); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if id := kernelID.FindStringSubmatch(k.Connection); id != nil {
		k.id = id[1]
	}
	k.sign = newSigner(k.conn.Key)
	k.controls = newControls(k.closeChannel, k.log.Printf)
	k.ctx, k.stop = context.WithCancel(ctx)
	defer k.stop()
	defer k.closeSockets()
	if err := k.bind(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if k.folder, err = makeFolder(k.Shim); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.folder.remove()
	if err := k.controls.serve(k.folder.controls(), k.current); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.controls.stop()
	defer k.endCompiler()
	go watchParent(k.ctx, k.stop)
	k.publish("status", nil, map[string]any{"execution_state": "starting"})
	k.compiler() // begins its start
	k.live = sync.OnceValues(func() (Live, error) {
		if k.Live == nil {
			return nil, errNoLive
		}
		return k.Live(newScreen(k, nil))
	})
	go k.live()
	go k.serve()
	<-k.ctx.Done()
	return nil
}

// bind opens the five sockets.
func (k *kernel) bind() error {
	for _, s := range []struct {
		to      **socket
		name    string
		kind    zmq4.SocketType
		port    int
		receive func(*peer, [][]byte)
	}{
		{&k.heartbeat, "heartbeat", zmq4.Rep, k.conn.Heartbeat, func(p *peer, frames [][]byte) { p.send(frames) }},
		{&k.iopub, "iopub", zmq4.XPub, k.conn.IOPub, k.subscribed},
		{&k.stdin, "stdin", zmq4.Router, k.conn.Stdin, k.receive("stdin", k.onInput)},
		{&k.control, "control", zmq4.Router, k.conn.Control, k.receive("control", k.onControl)},
		{&k.shell, "shell", zmq4.Router, k.conn.Shell, k.receive("shell", k.onShell)},
	} {
		network, address, err := k.conn.address(s.port)
		if err != nil {
			return err
		}
		if *s.to, err = listen(s.kind, network, address, k.log, s.receive); err != nil {
			return fmt.Errorf("the %s socket: %w", s.name, err)
		}
	}
	return nil
}

func (k *kernel) closeSockets() {
	for _, s := range []*socket{k.shell, k.control, k.stdin, k.iopub, k.heartbeat} {
		if s != nil {
			s.close()
		}
	}
}

// receive checks what comes in, and drops and logs what is not rightly signed.
func (k *kernel) receive(name string, handle func(*message)) func(*peer, [][]byte) {
	return func(p *peer, frames [][]byte) {
		m, err := k.sign.open(append([][]byte{[]byte(p.identity)}, frames...))
		if err != nil {
			k.log.Printf("dropped a message on %s: %v", name, err)
			return
		}
		handle(m)
	}
}

// subscribed welcomes a new subscription, with the topic it is for.
func (k *kernel) subscribed(p *peer, frames [][]byte) {
	if len(frames) != 1 {
		return
	}
	if topic, isNew := p.subscribe(frames[0]); isNew {
		m := compose(k.session, "iopub_welcome", nil, map[string]any{"subscription": topic})
		m.ids = [][]byte{[]byte(topic)}
		p.send(k.sign.seal(m))
	}
}

// publish broadcasts a message.
func (k *kernel) publish(kind string, parent *message, content any) {
	k.rebroadcast(compose(k.session, kind, parent, content))
}

// rebroadcast broadcasts a message as it is.
func (k *kernel) rebroadcast(m *message) {
	m.ids = [][]byte{[]byte("kernel." + m.kind())}
	k.iopub.publish(k.sign.seal(m))
}

// reply answers a request on the socket that it came by.
func (k *kernel) reply(s *socket, kind string, request *message, content any) {
	frames := k.sign.seal(compose(k.session, kind, request, content))
	s.to(string(frames[0]), frames[1:])
}

// onInput hands what the user typed to GoNB.
func (k *kernel) onInput(m *message) {
	if g := k.compilerNow(); g != nil && m.kind() == "input_reply" {
		if err := g.input(k.sign.seal(m)); err != nil {
			k.log.Printf("input: %v", err)
		}
	}
}

// queue holds the shell's requests until their turn, however many.
type queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	list  []*request
}

// request is a message of the shell; an aborted one is answered so and not carried out.
type request struct {
	*message
	aborted bool
}

func newQueue() *queue {
	q := &queue{}
	q.ready = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(m *message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, &request{message: m})
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

// waits tells whether a cell waits.
func (q *queue) waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.list, func(r *request) bool { return r.kind() == "execute_request" })
}

// abort marks all cells that wait.
func (q *queue) abort() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.list {
		r.aborted = r.aborted || r.kind() == "execute_request"
	}
}

// starting is a compiler, once ready is closed: or err tells why there is none.
type starting struct {
	ready chan struct{}
	gonb  *compiler
	err   error
}

// startTime is how long GoNB may take to answer.
const startTime = time.Minute

// compiler returns the compiler or its start; a new one if the last failed or died.
func (k *kernel) compiler() *starting {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.gonb; s != nil {
		select {
		case <-s.ready:
			if s.err == nil && s.gonb.alive() {
				return s
			}
		default:
			return s
		}
	}
	s := &starting{ready: make(chan struct{})}
	k.gonb = s
	go func() {
		defer close(s.ready)
		s.gonb, s.err = k.startCompiler()
	}()
	return s
}

// compilerNow returns the compiler if it runs.
func (k *kernel) compilerNow() *compiler {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gonb == nil {
		return nil
	}
	select {
	case <-k.gonb.ready:
		return k.gonb.gonb
	default:
		return nil
	}
}

// kernelID reads Jupyter's id of the kernel from the connection file's name.
var kernelID = regexp.MustCompile(`kernel-([0-9a-f-]+)\.json$`)

func (k *kernel) startCompiler() (*compiler, error) {
	tools, err := FindTools(k.Go, k.Shim)
	if err != nil {
		return nil, err
	}
	module, err := FindModule(k.Dir)
	if err != nil {
		return nil, err
	}
	l := launch{folder: k.folder, tools: tools, module: module, dir: k.Dir, key: k.conn.Key, id: k.id}
	ctx, cancel := context.WithTimeout(k.ctx, startTime)
	defer cancel()
	g, err := startCompiler(ctx, l, k.sign, k.fromShell, k.fromStdin, k.fromIOPub)
	if err != nil {
		return nil, err
	}
	g.mark, g.module, g.goTool = l.mark(), module, tools.Go
	setUp := compose(k.session, "execute_request", nil, executeRequest{Code: "%noautoget\n%goflags \"" + linkFlags + "\"", Silent: true}.whole())
	setUp.ids = [][]byte{[]byte("set-up")}
	if _, err := k.ask(ctx, g, setUp, func(*message) {}); err != nil {
		g.end()
		return nil, err
	}
	k.mu.Lock()
	k.numbers, k.gonbs, k.late = map[int]int{}, 0, ""
	k.mu.Unlock()
	return g, nil
}

func (k *kernel) endCompiler() {
	k.mu.Lock()
	s := k.gonb
	k.mu.Unlock()
	if s == nil {
		return
	}
	<-s.ready
	if s.gonb != nil {
		s.gonb.end()
	}
}

var errNoLive = errors.New("this program has no interpreter for live cells")

var errNoCompiler = errors.New("the compiler behind the kernel, GoNB, ended; what the cells before declared is forgotten")
