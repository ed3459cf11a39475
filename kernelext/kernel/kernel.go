//go:build unix

package kernel

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/go-zeromq/zmq4"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
	"github.com/ddps-go/ddps/kernelext/kernel/usage"
	"github.com/ddps-go/ddps/kernelext/kernel/widgets"
)

// kernel is a running kernel.
type kernel struct {
	Config
	conn    jupyter.Connection
	sign    *jupyter.Signer
	log     *log.Logger
	session string
	ctx     context.Context
	stop    context.CancelFunc

	shell, control, stdin, iopub, heartbeat *jupyter.Socket

	scratch *gonb.Scratch
	queue   *queue
	live    func() (Live, error) // the session, made at its first use
	history cells.History
	count   atomic.Int64 // of cells
	numbers map[int]int  // GoNB's number of a cell to ours
	gonbs   int          // how many cells GoNB has numbered
	comms   comms
	subs    subshells

	settings settings // of the shell's requests alone

	stale     stale // of the shell's requests alone
	controls  *controls
	widgets   *widgets.Manager
	debugging bool   // a front end has begun to look at variables; of the control socket alone
	id        string // Jupyter's of this kernel, "" if not known

	asking  sync.Mutex // held while GoNB is at a request
	mu      sync.Mutex
	gonb    *starting     // the compiler, or its start
	call    *call         // the request that GoNB is at
	late    string        // id of a question that GoNB is still at, whose asker waits no more; "" for none
	running *running      // the cell that is being run
	typed   chan<- string // what a live cell waits for
	meter   usage.Meter
}

// Run runs a kernel until a front end shuts it down, its parent is gone, or ctx is cancelled.
func Run(ctx context.Context, c Config) error {
	k := &kernel{Config: c, session: jupyter.NewID(), queue: newQueue(), numbers: map[int]int{},
		comms: comms{target: map[string]string{}}}
	if k.Log == nil {
		k.Log = os.Stderr
	}
	k.log = log.New(k.Log, "ddps kernel: ", 0)
	var err error
	if k.conn, err = jupyter.ReadConnection(c.Connection); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if k.Dir, err = filepath.Abs(c.Dir); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if id := kernelID.FindStringSubmatch(k.Connection); id != nil {
		k.id = id[1]
	}
	k.sign = jupyter.NewSigner(k.conn.Key)
	k.controls = newControls(k.closeChannel, k.log.Printf)
	k.widgets = &widgets.Manager{Send: k.tellPages, Tell: k.controls.tell}
	k.controls.ended, k.controls.drawn = k.widgets.End, k.widgets.Known
	k.ctx, k.stop = context.WithCancel(ctx)
	defer k.stop()
	defer k.closeSockets()
	k.live = sync.OnceValues(func() (Live, error) {
		if k.Live == nil {
			return nil, errNoLive
		}
		return k.Live(newScreen(k, nil))
	})
	if err := k.bind(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if k.scratch, err = gonb.MakeFolder(k.Shim); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.scratch.Remove()
	if err := k.controls.serve(k.scratch.Controls(), k.current); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.controls.stop()
	defer k.endCompiler()
	go watchParent(k.ctx, k.stop)
	k.publish("status", nil, map[string]any{"execution_state": "starting"})
	k.compiler() // begins its start
	go k.live()
	go k.serve()
	<-k.ctx.Done()
	return nil
}

// bind opens the five sockets.
func (k *kernel) bind() error {
	for _, s := range []struct {
		to      **jupyter.Socket
		name    string
		kind    zmq4.SocketType
		port    int
		receive func(*jupyter.Peer, [][]byte)
	}{
		{&k.heartbeat, "heartbeat", zmq4.Rep, k.conn.Heartbeat, func(p *jupyter.Peer, frames [][]byte) { p.Send(frames) }},
		{&k.iopub, "iopub", zmq4.XPub, k.conn.IOPub, k.subscribed},
		{&k.stdin, "stdin", zmq4.Router, k.conn.Stdin, k.receive("stdin", k.onInput)},
		{&k.control, "control", zmq4.Router, k.conn.Control, k.receive("control", k.onControl)},
		{&k.shell, "shell", zmq4.Router, k.conn.Shell, k.receive("shell", k.onShell)},
	} {
		network, address, err := k.conn.Address(s.port)
		if err != nil {
			return err
		}
		if *s.to, err = jupyter.Listen(s.kind, network, address, k.log, s.receive); err != nil {
			return fmt.Errorf("the %s socket: %w", s.name, err)
		}
	}
	return nil
}

func (k *kernel) closeSockets() {
	for _, s := range []*jupyter.Socket{k.shell, k.control, k.stdin, k.iopub, k.heartbeat} {
		if s != nil {
			s.Close()
		}
	}
}

// receive checks what comes in, and drops and logs what is not rightly signed.
func (k *kernel) receive(name string, handle func(*jupyter.Message)) func(*jupyter.Peer, [][]byte) {
	return func(p *jupyter.Peer, frames [][]byte) {
		m, err := k.sign.Open(append([][]byte{[]byte(p.Identity)}, frames...))
		if err != nil {
			k.log.Printf("dropped a message on %s: %v", name, err)
			return
		}
		handle(m)
	}
}

// subscribed welcomes a new subscription, with the topic it is for.
func (k *kernel) subscribed(p *jupyter.Peer, frames [][]byte) {
	if len(frames) != 1 {
		return
	}
	if topic, isNew := p.Subscribe(frames[0]); isNew {
		m := jupyter.Compose(k.session, "iopub_welcome", nil, map[string]any{"subscription": topic})
		m.Ids = [][]byte{[]byte(topic)}
		p.Send(k.sign.Seal(m))
	}
}

// publish broadcasts a message.
func (k *kernel) publish(kind string, parent *jupyter.Message, content any) {
	k.rebroadcast(jupyter.Compose(k.session, kind, parent, content))
}

// number is that of the newest cell.
func (k *kernel) number() int { return int(k.count.Load()) }

// tellPages is publish with metadata, for channels.
func (k *kernel) tellPages(kind string, parent *jupyter.Message, content, metadata any) {
	m := jupyter.Compose(k.session, kind, parent, content)
	m.Metadata = jupyter.ToJSON(metadata)
	if kind == "comm_open" {
		k.comms.note(m)
	}
	k.rebroadcast(m)
}

// rebroadcast broadcasts a message as it is.
func (k *kernel) rebroadcast(m *jupyter.Message) {
	m.Ids = [][]byte{[]byte("kernel." + m.Kind())}
	k.iopub.Publish(k.sign.Seal(m))
}

// reply answers a request on the socket that it came by, and reports whether who asked is connected there.
func (k *kernel) reply(s *jupyter.Socket, kind string, request *jupyter.Message, content any) (there bool) {
	frames := k.sign.Seal(jupyter.Compose(k.session, kind, request, content))
	return s.To(string(frames[0]), frames[1:])
}

var errNoLive = errors.New("this program has no interpreter for live cells")

var errNoCompiler = errors.New("the compiler behind the kernel, GoNB, ended; what the cells before declared is " +
	"forgotten")
