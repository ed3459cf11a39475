"""Runs a command once no address but the loopback can be reached: python offline.py COMMAND...

On Linux it is to be started in a network namespace of its own, where even the loopback is down; it makes sure.
"""
import errno
import fcntl
import os
import socket
import struct
import sys

SIOCSIFFLAGS, IFF_UP = 0x8914, 1

if sys.platform == "linux":
    names = [name for _, name in socket.if_nameindex()]
    if names != ["lo"]:
        sys.exit(f"the network is within reach, by {', '.join(names)}")
    with socket.socket() as s:
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
        s.settimeout(5)
        if s.connect_ex(("192.0.2.1", 80)) != errno.ENETUNREACH:  # an address for documentation
            sys.exit("there is a route to the network")
os.execv(sys.argv[1], sys.argv[1:])
