"""The file: crashes, locks, versions, permissions."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.history import migrations
from bot.history.conversations import History
from bot.history.database import DatabaseThread
from kg.errors import BadInput, KgError, Unavailable
from tests.limits import bound_by_permissions, full_disk, posix_only

WRITER = """
import sys, uuid
from pathlib import Path
from bot.history.conversations import History
from tests.bot.history.samples import numbers_of, record
history = History(Path(sys.argv[1]))
conversation = history.create_conversation("local", "q", "medical")
print(conversation, flush=True)
for number in range(10_000):
    answer = record(f"question {number}", answer="word " * 2000)
    turn = history.start_turn(conversation, answer.question, str(uuid.uuid4()))
    message = str(uuid.uuid4())
    history.store_answer(turn, answer, numbers_of(answer), message_id=message, run_id=None)
    print("stored", number, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 2, 7, 30])
def test_a_kill_loses_nothing_that_was_stored(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "history.sqlite"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    conversation = writer.stdout.readline().strip()
    for _ in range(lines):
        last = writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    last = ([last, *writer.stdout.read().splitlines()])[-1].strip()
    writer.wait()
    writer.stdout.close()
    history = History(path)
    stored = history.conversation(conversation, "local")
    assert stored is not None
    answered = [turn.question for turn in stored.turns if turn.answers]
    shown = int(last.split()[1]) + 1
    assert answered[:shown] == [f"question {number}" for number in range(shown)]
    assert len(stored.turns) - len(answered) <= 1  # the one that was being answered
    history.start_turn(conversation, "and on", "message")
    history.close()


def lock(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection


def test_a_short_lock_is_not_noticed(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path)
    other = lock(path)
    release = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    release.start()
    conversation = history.create_conversation("local", "q", "medical")
    release.join()
    other.close()
    assert history.owner(conversation) == "local"
    history.close()


def test_a_long_lock_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path, patience=0.1)
    conversation = history.create_conversation("local", "q", "medical")
    other = lock(path)
    with pytest.raises(Unavailable) as told:
        history.create_conversation("local", "q", "medical")
    assert "\n" not in told.value.user_message
    assert history.owner(conversation) == "local"  # reading goes on
    other.execute("COMMIT")
    other.close()
    assert len(history.list("local").conversations) == 1  # no half turn
    history.create_conversation("local", "q", "medical")
    history.close()


@pytest.mark.parametrize("kind", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_locked_file_is_opened_and_read_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path)
    conversation = history.create_conversation("local", "q", "medical")
    history.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute(f"BEGIN {kind}")
    other.execute("UPDATE conversations SET name = 'half'")
    began = time.monotonic()
    history = History(path, patience=30)
    assert [one.name for one in history.list("local").conversations] == ["q"]
    assert history.conversation(conversation, "local") is not None
    assert time.monotonic() - began < 5
    history.close()
    history = History(path, patience=0.1)
    with pytest.raises(Unavailable) as told:
        history.create_conversation("local", "q", "medical")
    assert "Another program" in told.value.user_message
    assert "另一个程序" in told.value.message("zh")
    other.execute("ROLLBACK")
    other.close()
    history.create_conversation("local", "q", "medical")
    history.close()


# Prints what can be read, then what a write says.
READER = """
import os, sys
from pathlib import Path
from bot.history.conversations import History
from kg.errors import KgError, Unavailable
try:
    history = History(Path(sys.argv[1]))
except KgError as error:
    print("opening:", error.user_message, flush=True)
    sys.exit()
(one,) = history.list("local").conversations
stored = history.conversation(one.id, "local")
print("read:", one.name, [turn.question for turn in stored.turns], flush=True)
try:
    history.create_conversation("local", "new", "medical")
except Unavailable as error:
    print("write:", error.user_message, flush=True)
    assert error.message("zh") != error.user_message
if len(sys.argv) > 2:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    history.create_conversation("local", "new", "medical")
    print("later:", len(history.list("local").conversations), flush=True)
history.close()
"""


def read_in_child(path: Path, limit: Callable[[], None], *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", READER, str(path), *arguments],
        capture_output=True, text=True, preexec_fn=limit,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def stored_turn(path: Path) -> None:
    history = History(path)
    history.start_turn(history.create_conversation("local", "old", "medical"), "q", "m")
    history.close()


@posix_only
@pytest.mark.parametrize("open_elsewhere", [False, True])
def test_old_conversations_are_read_while_the_disk_is_full(
    tmp_path: Path, open_elsewhere: bool
) -> None:
    path = tmp_path / "a home?#%20" / "history.sqlite"
    stored_turn(path)
    other = History(path) if open_elsewhere else None
    read, write = read_in_child(path, full_disk)
    assert read == "read: old ['q']"
    assert f"The disk that holds {path.parent} is full" in write
    if other is not None:
        other.close()


def soft_full_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


@posix_only
def test_room_on_the_disk_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    stored_turn(path)
    read, write, later = read_in_child(path, soft_full_disk, "later")
    assert "is full" in write and later == "later: 2"


@posix_only
@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o555), (0o600, 0o555), (0o444, 0o755)])
def test_old_conversations_are_read_where_nothing_can_be_written(
    tmp_path: Path, file: int, folder: int
) -> None:
    path = tmp_path / "home" / "history.sqlite"
    stored_turn(path)
    path.chmod(file)
    path.parent.chmod(folder)
    read, write = read_in_child(path, bound_by_permissions)
    assert read == "read: old ['q']"
    assert write.startswith(f"write: {path} cannot be written: check the permissions")
    path.parent.chmod(0o755)


@posix_only
def test_a_new_home_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o555)
    (line,) = read_in_child(home / "history.sqlite", bound_by_permissions)
    assert f"{home / 'history.sqlite'} cannot be written" in line
    home.chmod(0o755)
    (line,) = read_in_child(home / "history.sqlite", full_disk)
    assert f"The disk that holds {home} is full" in line


def test_two_histories_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    one, two = History(path), History(path)
    conversation = one.create_conversation("local", "q", "medical")
    two.start_turn(conversation, "q", "m")
    stored = one.conversation(conversation, "local")
    assert stored is not None
    assert [turn.question for turn in stored.turns] == ["q"]
    one.close()
    two.close()


def test_two_processes_may_make_the_file_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from bot.history.conversations import History\n"
        "sys.stdin.readline(); h = History(Path(sys.argv[1])); h.add_user('local'); h.close()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "history.sqlite")]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors


@pytest.mark.parametrize(
    "change",
    [
        "PRAGMA user_version = 999",
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
        "VALUES ('graphcite', 'm999_later', '2099')",
    ],
)
def test_a_newer_file_is_refused_untouched(tmp_path: Path, change: str) -> None:
    path = tmp_path / "history.sqlite"
    History(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(change)
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(KgError, match="newer version"):
        History(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_lowered_version_is_put_right(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path)
    conversation = history.create_conversation("local", "q", "medical")
    history.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 0")
    connection.close()
    history = History(path)
    assert history.owner(conversation) == "local"
    history.close()


def test_a_migration_that_fails_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_M001", (*migrations._M001[:4], "CREATE NONSENSE"))
        with pytest.raises(KgError):
            History(path)
    history = History(path)
    history.create_conversation("local", "q", "medical")
    history.close()


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE things (id)")
    connection.close()
    with pytest.raises(KgError, match="another program"):
        History(foreign)
    text = tmp_path / "text.sqlite"
    text.write_text("not a database, but long enough to be looked at " * 100)
    with pytest.raises(BadInput) as told:
        History(text)
    assert "not a readable history file" in told.value.user_message
    with pytest.raises(BadInput, match="cannot be opened"):
        History(tmp_path)


def test_only_the_user_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "home" / "history.sqlite"
    history = History(path)
    history.add_user("local")
    for file in path.parent.iterdir():
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600, file.name
    history.close()
    history.close()


def test_a_failed_job_leaves_no_transaction_open(tmp_path: Path) -> None:
    file = DatabaseThread(tmp_path / "history.sqlite")

    def fail(db: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        file.write(fail)
    file.write(lambda db: db.execute("INSERT INTO users VALUES ('a', NULL, 'now')"))
    assert file.read(lambda db: db.execute("SELECT count(*) FROM users").fetchone()[0]) == 1
    file.close()
