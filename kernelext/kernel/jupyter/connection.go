package jupyter

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
)

// Connection is Jupyter's connection file.
type Connection struct {
	Transport string `json:"transport"`
	IP        string `json:"ip"`
	Shell     int    `json:"shell_port"`
	Control   int    `json:"control_port"`
	Stdin     int    `json:"stdin_port"`
	IOPub     int    `json:"iopub_port"`
	Heartbeat int    `json:"hb_port"`
	Key       string `json:"key"`
	Scheme    string `json:"signature_scheme"`
}

// Address returns the network and address of a port; the loopback where the file names no other.
func (c Connection) Address(port int) (network, address string, err error) {
	switch c.Transport {
	case "", "tcp":
		ip := c.IP
		switch ip {
		case "":
			ip = "127.0.0.1"
		case "*":
			ip = ""
		}
		return "tcp", net.JoinHostPort(ip, fmt.Sprint(port)), nil
	case "ipc":
		return "unix", fmt.Sprintf("%s-%d", c.IP, port), nil
	}
	return "", "", fmt.Errorf("transport %q is neither tcp nor ipc", c.Transport)
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	data, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("the connection file: %w", err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("the connection file %s: %w", path, err)
	}
	if c.Scheme != "" && c.Scheme != "hmac-sha256" {
		return c, fmt.Errorf("the connection file %s: signature scheme %q is not hmac-sha256", path, c.Scheme)
	}
	return c, nil
}
