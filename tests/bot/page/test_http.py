"""The routes over HTTP: signing in, whose conversations they give, what they refuse."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from bot.history.conversations import History
from tests.bot.history.samples import numbers_of, record

HERE = "http://127.0.0.1:8000"


@pytest.fixture
def client(app: Any) -> Iterator[Any]:
    """The page's browser, signed in as it signs in itself."""
    from starlette.testclient import TestClient

    opened = TestClient(app, base_url=HERE)  # without `with`: Chainlit's end would end pytest
    assert opened.post("/auth/header").status_code == 200
    yield opened
    opened.close()


@pytest.fixture
def mallory(app: Any) -> Iterator[Any]:
    """Another user."""
    from chainlit.auth import create_jwt
    from chainlit.user import User
    from starlette.testclient import TestClient

    token = create_jwt(User(identifier="mallory"))
    opened = TestClient(app, base_url=HERE, headers={"Authorization": f"Bearer {token}"})
    yield opened
    opened.close()


@pytest.fixture
def conversation(history: History) -> tuple[str, str]:
    """A conversation of the local user, and the run of its answer."""
    made = history.create_conversation("local", "Private question", "medical")
    answer = record("Private question", conversation=made)
    turn = history.start_turn(made, answer.question, str(uuid.uuid4()))
    run = str(uuid.uuid4())
    history.store_answer(turn, answer, numbers_of(answer), message_id=str(uuid.uuid4()), run_id=run)
    return made, run


def feedback(run: str, thread: str, **changes: Any) -> dict[str, Any]:
    values = {"forId": run, "threadId": thread, "value": 1, "comment": "good", **changes}
    return {"feedback": values, "sessionId": "any"}


def test_nobody_is_asked_to_sign_in(client: Any, conversation: tuple[str, str]) -> None:
    assert client.get("/user").json()["identifier"] == "local"
    listed = client.post("/project/threads", json={"pagination": {"first": 5}, "filter": {}})
    assert conversation[0] in [thread["id"] for thread in listed.json()["data"]]
    thread = client.get(f"/project/thread/{conversation[0]}").json()
    assert thread["steps"][0]["output"] == "Private question"
    element = thread["elements"][1]["id"]
    assert client.get(f"/project/thread/{conversation[0]}/element/{element}").status_code == 200


def test_without_signing_in_nothing_is_given(app: Any, conversation: tuple[str, str]) -> None:
    from starlette.testclient import TestClient

    stranger = TestClient(app, base_url=HERE)
    thread = conversation[0]
    for answer in (
        stranger.get("/user"),
        stranger.get(f"/project/thread/{thread}"),
        stranger.post("/project/threads", json={"pagination": {"first": 5}, "filter": {}}),
        stranger.request("DELETE", "/project/thread", json={"threadId": thread}),
        stranger.put("/feedback", json=feedback(conversation[1], thread)),
    ):
        assert answer.status_code == 401
    stranger.close()


def test_another_user_gets_and_changes_nothing(
    mallory: Any, client: Any, history: History, conversation: tuple[str, str]
) -> None:
    thread, run = conversation
    given = client.put("/feedback", json=feedback(run, thread)).json()["feedbackId"]
    before = client.get(f"/project/thread/{thread}").json()
    refused = [
        mallory.get(f"/project/thread/{thread}"),
        mallory.get(f"/project/thread/{thread}/element/{before['elements'][1]['id']}"),
        mallory.put("/project/thread", json={"threadId": thread, "name": "mine"}),
        mallory.request("DELETE", "/project/thread", json={"threadId": thread}),
        mallory.put("/feedback", json=feedback(run, thread, value=0)),
        mallory.put("/feedback", json=feedback(run, thread, id=given, value=0)),
        mallory.request("DELETE", "/feedback", json={"feedbackId": given}),
        mallory.put("/project/thread/share", json={"threadId": thread, "isShared": True}),
        mallory.get(f"/project/share/{thread}"),
    ]
    assert {answer.status_code for answer in refused} <= {401, 404}
    assert all("Private question" not in answer.text for answer in refused)
    listed = mallory.post("/project/threads", json={"pagination": {"first": 50}, "filter": {}})
    assert listed.json()["data"] == []
    forged = {"pagination": {"first": 50}, "filter": {"userId": "local"}}
    assert mallory.post("/project/threads", json=forged).json()["data"] == []
    assert client.get(f"/project/thread/{thread}").json() == before


def test_feedback_is_kept_and_taken_back(client: Any, conversation: tuple[str, str]) -> None:
    thread, run = conversation
    given = client.put("/feedback", json=feedback(run, thread)).json()["feedbackId"]
    steps = client.get(f"/project/thread/{thread}").json()["steps"]
    (shown,) = [step["feedback"] for step in steps if step.get("feedback")]
    assert (shown["id"], shown["forId"], shown["value"]) == (given, run, 1)
    assert shown["comment"] == "good"
    deleted = client.request("DELETE", "/feedback", json={"feedbackId": given})
    assert deleted.json() == {"success": True}
    assert client.request("DELETE", "/feedback", json={"feedbackId": given}).status_code == 404
    unknown = client.put("/feedback", json=feedback(str(uuid.uuid4()), thread))
    assert unknown.status_code == 404
    assert "not stored" in unknown.json()["detail"]


def test_rename_and_delete(client: Any, history: History, conversation: tuple[str, str]) -> None:
    thread = conversation[0]
    client.put("/project/thread", json={"threadId": thread, "name": "新的名字"})
    assert client.get(f"/project/thread/{thread}").json()["name"] == "新的名字"
    client.request("DELETE", "/project/thread", json={"threadId": thread})
    assert client.get(f"/project/thread/{thread}").status_code == 404
    assert history.owner(thread) is None


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.test:8000"}, {"Origin": "http://evil.test"}, {"Origin": "null"}]
)
def test_foreign_pages_are_refused_everywhere(client: Any, headers: dict[str, str]) -> None:
    for method, path in (
        ("GET", "/"),
        ("POST", "/auth/header"),
        ("GET", "/user"),
        ("GET", "/public/graphcite.js"),
        ("GET", "/ws/socket.io/?EIO=4&transport=polling"),
    ):
        answer = client.request(method, path, headers=headers)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_settings_of_the_page(client: Any) -> None:
    settings = client.get("/project/settings?language=zh-CN").json()
    assert settings["dataPersistence"] and settings["threadResumable"]
    assert not settings["threadSharing"]
    assert settings["ui"]["name"] == "Graphcite"
    features = settings["features"]
    assert not features["spontaneous_file_upload"]["enabled"]
    assert not features["mcp"]["enabled"]
    for unsafe in ("latex", "unsafe_allow_html", "user_message_markdown", "favorites"):
        assert not features[unsafe]
    assert "偏头痛的治疗" in [starter["label"] for starter in settings["starters"]]
    english = client.get("/project/settings?language=en-US").json()
    assert "Treatments for migraine" in [starter["label"] for starter in english["starters"]]
