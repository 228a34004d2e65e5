"""A Virtuoso server with one N-Triples file in it, gone when this process ends.

Needs Virtuoso 7 (virtuoso-t, and isql-vt to load). Listens on free ports of the loopback address.
"""

from __future__ import annotations

import atexit
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

__all__ = ["SERVER", "serve"]

SERVER, CLIENT = "virtuoso-t", "isql-vt"
_SETTINGS = """
[Database]
DatabaseFile = {0}/virtuoso.db
ErrorLogFile = {0}/virtuoso.log
LockFile = {0}/virtuoso.lck
TransactionFile = {0}/virtuoso.trx
xa_persistent_file = {0}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {0}/temp.db
TransactionFile = {0}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{1}
DirsAllowed = {2}
NumberOfBuffers = 170000
MaxDirtyBuffers = 130000
[HTTPServer]
ServerPort = 127.0.0.1:{3}
ServerThreads = 4
[SPARQL]
ResultSetMaxRows = 10000
"""
_LOAD = "ld_dir('{}', '{}', 'urn:bench'); rdf_loader_run(); checkpoint;"
_WAIT = 120  # seconds until the server must listen


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def serve(triples: Path) -> int:
    """Start a server, load the file, and give the port of its SPARQL endpoint."""
    folder = Path(tempfile.mkdtemp(prefix="virtuoso-"))
    sql, http = _free_port(), _free_port()
    settings = folder / "virtuoso.ini"
    source = triples.absolute()
    settings.write_text(_SETTINGS.format(folder, sql, source.parent, http), encoding="utf-8")
    server = subprocess.Popen(
        [SERVER, "+foreground", "+configfile", str(settings)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    atexit.register(_stop, server, folder)
    _await(server, sql)
    command = [CLIENT, f"127.0.0.1:{sql}", "dba", "dba", "ERRORS=STDOUT"]
    command.append(f"EXEC={_LOAD.format(source.parent, source.name)}")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _await(server, http)
    return http


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + _WAIT
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise RuntimeError(f"Virtuoso does not listen on port {port}")


def _stop(server: subprocess.Popen[bytes], folder: Path) -> None:
    server.terminate()
    server.wait(60)
    shutil.rmtree(folder, ignore_errors=True)
