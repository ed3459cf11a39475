// Package jupyter is the wire protocol of Jupyter's kernels: connection files, signed messages, sockets on zmq4's
// connections, and a client that starts a kernel and has it run cells.
package jupyter
