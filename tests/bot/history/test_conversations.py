"""History: order, ownership, edits, deletion, search."""

from __future__ import annotations

import asyncio
import sqlite3
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.documents import to_document
from bot.history import writing
from bot.history.conversations import History
from bot.record import AnswerRecord
from kg.errors import BadInput, NotFound
from tests.bot.history.samples import numbers_of, path_evidence, record, triple_evidence


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(tmp_path / "home" / "history.sqlite")
    yield opened
    opened.close()


def add(
    history: History, conversation: str, answer: AnswerRecord, message: str | None = None
) -> tuple[str, str]:
    """One turn with its answer: the ids of message and run."""
    message = message or str(uuid.uuid4())
    run = str(uuid.uuid4())
    turn = history.start_turn(conversation, answer.question, message)
    history.store_answer(turn, answer, numbers_of(answer), message_id=str(uuid.uuid4()), run_id=run)
    return message, run


def test_a_stored_answer_comes_back_as_it_was(history: History) -> None:
    conversation = history.create_conversation("local", "What now?", "medical")
    answer = record(conversation=conversation, cited=(path_evidence(),), notices=("a",))
    add(history, conversation, answer)
    stored = history.conversation(conversation, "local")
    assert stored is not None
    (turn,) = stored.turns
    assert turn.question == answer.question
    assert to_document(turn.answers[0].record) == to_document(answer)
    assert history.numbers(conversation) == numbers_of(answer)
    last = history.last_answer(conversation)
    assert last is not None
    assert last.answer == answer.answer


def test_a_new_conversation_has_no_answer(history: History) -> None:
    conversation = history.create_conversation("local", "Hello", "medical")
    assert history.last_answer(conversation) is None
    assert history.numbers(conversation) == {}
    assert history.owner(conversation) == "local"
    assert history.owner("unknown") is None


def test_names_are_one_clean_line_of_80_characters(history: History) -> None:
    conversation = history.create_conversation("local", "a\u200bb\n\tc " + "x" * 200, "medical")
    stored = history.conversation(conversation, "local")
    assert stored is not None
    assert stored.name == "ab c " + "x" * 75
    assert history.rename(conversation, "local", " 偏头痛\n ")
    assert not history.rename(conversation, "local", "\u200b ")
    assert [c.name for c in history.list("local").conversations] == ["偏头痛"]


def test_an_edit_leaves_nothing_of_the_old_branch(history: History) -> None:
    conversation = history.create_conversation("local", "q", "medical")
    add(history, conversation, record("first", cited=(triple_evidence("A"),)))
    second, _ = add(
        history, conversation, record("second", cited=(triple_evidence("B"),), first_number=2)
    )
    add(history, conversation, record("third", cited=(triple_evidence("C"),), first_number=3))
    edited = record("second, edited", cited=(triple_evidence("D"),), first_number=2)
    add(history, conversation, edited, message=second)
    stored = history.conversation(conversation, "local")
    assert stored is not None
    assert [turn.question for turn in stored.turns] == ["first", "second, edited"]
    assert history.numbers(conversation) == {
        triple_evidence("A").key: 1,
        triple_evidence("D").key: 2,
    }


def test_an_answer_of_an_edited_question_is_not_stored(history: History) -> None:
    conversation = history.create_conversation("local", "q", "medical")
    message = str(uuid.uuid4())
    old = history.start_turn(conversation, "old", message)
    history.start_turn(conversation, "new", message)
    with pytest.raises(NotFound, match="not stored"):
        history.store_answer(old, record(), {}, message_id="m", run_id=None)


def test_a_message_of_another_conversation_is_refused(history: History) -> None:
    one = history.create_conversation("local", "one", "medical")
    two = history.create_conversation("eve", "two", "medical")
    message, _ = add(history, one, record())
    with pytest.raises(BadInput):
        history.start_turn(two, "mine now", message)
    stored = history.conversation(one, "local")
    assert stored is not None
    assert len(stored.turns) == 1


def test_nobody_sees_or_changes_the_conversations_of_others(history: History) -> None:
    mine = history.create_conversation("local", "mine", "medical")
    _, run = add(history, mine, record())
    feedback = history.set_feedback(run, "local", 1, "good")
    assert history.conversation(mine, "eve") is None
    assert history.list("eve").conversations == ()
    assert not history.rename(mine, "eve", "hers")
    assert not history.remember(mine, "eve", {}, "open")
    assert not history.delete(mine, "eve")
    assert not history.delete_feedback(feedback, "eve")
    with pytest.raises(NotFound):
        history.create_conversation("eve", "x", "medical", conversation=mine)
    with pytest.raises(NotFound):
        history.start_turn(mine, "x", str(uuid.uuid4()), user="eve")
    with pytest.raises(NotFound):
        history.set_feedback(run, "eve", 0, None)
    stored = history.conversation(mine, "local")
    assert stored is not None
    assert (stored.name, len(stored.turns)) == ("mine", 1)
    assert stored.turns[0].answers[0].feedback is not None


def test_feedback_replaces_itself_and_can_be_taken_back(history: History) -> None:
    conversation = history.create_conversation("local", "q", "medical")
    _, run = add(history, conversation, record())
    first = history.set_feedback(run, "local", 1, None)
    assert history.set_feedback(run, "local", 0, "wrong") == first
    stored = history.conversation(conversation, "local")
    assert stored is not None
    feedback = stored.turns[0].answers[0].feedback
    assert feedback is not None
    assert (feedback.value, feedback.comment) == (0, "wrong")
    assert history.delete_feedback(first, "local")
    assert not history.delete_feedback(first, "local")


def test_an_answer_is_never_altered(history: History, tmp_path: Path) -> None:
    conversation = history.create_conversation("local", "q", "medical")
    add(history, conversation, record())
    connection = sqlite3.connect(tmp_path / "home" / "history.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="never altered"):
        connection.execute("UPDATE answers SET record = '{}'")
    connection.close()


def test_the_list_is_by_last_activity_whatever_the_clock(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [history.create_conversation("local", name, "medical") for name in "abc"]
    monkeypatch.setattr(writing, "_now", lambda: "2099-01-01T00:00:00.000Z")
    history.start_turn(ids[0], "from the future", str(uuid.uuid4()))
    monkeypatch.undo()
    history.start_turn(ids[1], "from now", str(uuid.uuid4()))
    listed = history.list("local").conversations
    assert [c.name for c in listed] == ["b", "a", "c"]
    # The page sorts by the time that it is given.
    assert [c.updated for c in listed] == sorted((c.updated for c in listed), reverse=True)


def test_the_list_comes_in_pages(history: History) -> None:
    for number in range(7):
        history.create_conversation("local", str(number), "medical")
        history.create_conversation("eve", str(number), "medical")
    names: list[str] = []
    cursor: str | None = None
    while True:
        page = history.list("local", 3, cursor)
        names += [c.name for c in page.conversations]
        cursor = page.cursor
        if cursor is None:
            break
    assert names == list("6543210")
    assert len(history.list("local", 3, "nonsense").conversations) == 3
    assert len(history.list("local", 0, None).conversations) == 1


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("偏头", {"偏头痛怎么治疗？"}),
        ("100%", {"Is 100% safe?"}),
        ("IS 100", {"Is 100% safe?"}),
        ("later", {"Is 100% safe?"}),
        ("_", set()),
        ("zzz", set()),
        ("", {"Is 100% safe?", "偏头痛怎么治疗？"}),
    ],
)
def test_search_looks_in_names_and_questions(
    history: History, search: str, found: set[str]
) -> None:
    history.create_conversation("local", "偏头痛怎么治疗？", "medical")
    other = history.create_conversation("local", "Is 100% safe?", "medical")
    history.start_turn(other, "asked later", str(uuid.uuid4()))
    assert {c.name for c in history.list("local", search=search).conversations} == found


def test_deleting_leaves_no_byte_behind(history: History, tmp_path: Path) -> None:
    secret = "unmistakable-secret-question"
    conversation = history.create_conversation("local", secret, "medical")
    kept = history.create_conversation("local", "kept", "medical")
    for number in range(5):
        answer = record(secret + str(number), answer="unmistakable-secret-answer " * 500)
        _, run = add(history, conversation, answer)
        history.set_feedback(run, "local", 1, "unmistakable-secret-comment")
    assert history.delete(conversation, "local")
    for path in (tmp_path / "home").iterdir():
        assert b"unmistakable-secret" not in path.read_bytes(), path.name
    assert history.conversation(conversation, "local") is None
    assert [c.id for c in history.list("local").conversations] == [kept]


def test_editing_leaves_no_byte_of_the_old_question(history: History, tmp_path: Path) -> None:
    conversation = history.create_conversation("local", "unmistakable-old-question", "medical")
    message, _ = add(history, conversation, record("unmistakable-old-question"))
    add(history, conversation, record("new question"), message=message)
    assert history.list("local").conversations[0].name == "new question"
    for path in (tmp_path / "home").iterdir():
        assert b"unmistakable-old" not in path.read_bytes(), path.name


def test_mode_and_settings_are_remembered(history: History) -> None:
    conversation = history.create_conversation("local", "q", "medical", language="zh")
    assert history.remember(conversation, "local", {"strategy": "kg-rank"}, "open")
    assert history.remember(conversation, "local", {"top": 5})
    assert not history.remember("unknown", "local", {})
    stored = history.conversation(conversation, "local")
    assert stored is not None
    assert (stored.summary.mode, stored.summary.language) == ("open", "zh")
    assert stored.summary.metadata == {"strategy": "kg-rank", "top": 5}


def test_many_conversations_at_once_on_one_event_loop(history: History) -> None:
    async def one(number: int) -> str:
        conversation = await history.call(
            history.create_conversation, "local", str(number), "medical"
        )
        turn = await history.call(
            history.start_turn, conversation, f"question {number}", str(uuid.uuid4())
        )
        answer = record(f"question {number}")
        await history.call(
            history.store_answer, turn, answer, {}, message_id=str(uuid.uuid4()), run_id=None
        )
        last = await history.call(history.last_answer, conversation)
        assert last is not None
        return last.question

    async def all_of_them() -> list[str]:
        return list(await asyncio.gather(*(one(number) for number in range(20))))

    assert asyncio.run(all_of_them()) == [f"question {number}" for number in range(20)]


def test_the_users_are_kept(history: History) -> None:
    assert history.user("local") is None
    history.add_user("local", "Local user")
    history.add_user("local")
    user = history.user("local")
    assert user is not None
    assert user.display_name == "Local user"
