"""`python` for programs under test that start Python themselves: has the server fork (fork_server.py) what it
can, and is Python for the rest. Passes signals on, and ends as the forked process does.

Started by forked.py's `NESTED` as `python -IS python_by_fork.py WORDS`, without the standard library's larger
modules, for it is to cost a hundredth of a second.
"""

from __future__ import annotations

import marshal
import os
import sys
from _signal import SIG_DFL, SIGHUP, SIGINT, SIGKILL, SIGTERM, SIGUSR1, SIGUSR2, signal
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_SEQPACKET, SOL_SOCKET, socket

sys.path.append(os.path.dirname(__file__))
from starts import forks

PASSED_ON = (SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2)


def main(words: list[str]) -> None:
    environment = dict(os.environ)
    server = socket(AF_UNIX, SOCK_SEQPACKET)
    base = environment.get("KENG_TESTS_BASE", "")
    if not forks(words, environment, base) or server.connect_ex(
        "\0" + environment["KENG_TESTS_SERVER"]
    ):
        os.execv(sys.executable, [sys.executable, *words])
    request = marshal.dumps((words, os.getcwd(), environment, False))
    streams = (SOL_SOCKET, SCM_RIGHTS, b"".join(n.to_bytes(4, sys.byteorder) for n in range(3)))
    server.sendmsg([request], [streams])
    forked = int(server.recv(64))
    for number in PASSED_ON:
        signal(number, lambda number, frame: os.kill(forked, number))
    code = int(server.recv(64))
    if code < 0:
        if code != -SIGKILL:
            signal(-code, SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main(sys.argv[1:])
