"""The page as a user has it: a real server, a real browser, the starter graph."""

from __future__ import annotations

import json
import re
import socket
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.e2e.conftest import Server
from tests.e2e.tab import Page

pytestmark = [pytest.mark.e2e, pytest.mark.integration]

QUESTION = "What are the treatments for migraine?"


def first_item(answer: Any) -> Any:
    return answer.locator('.gc-item[data-number="1"]')


def test_ask_click_reload_restart_reopen(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    page.ask(QUESTION)
    page.tab.wait_for_url("**/thread/*")
    address = page.tab.url
    item = first_item(page.answer())
    assert item.get_attribute("open") is None
    page.answer().locator(".element-link", has_text="[1]").first.click()
    assert item.get_attribute("open") is not None
    assert page.tab.url == address
    triple = item.locator("summary").inner_text()
    details = item.locator(".gc-body").inner_text()
    assert "Migraine" in triple or "migraine" in triple
    assert "Sources" in details
    shown = page.answer().locator(".message-content").inner_text()

    page.tab.reload()
    page.tab.wait_for_selector(".gc-evidence")
    assert first_item(page.answer()).locator("summary").inner_text() == triple

    assert server.stop() == 0
    server.start()
    page.tab.goto(server.url)
    page.tab.wait_for_selector("#starters")
    page.tab.locator("#thread-history a", has_text="treatments for migraine").first.click()
    page.tab.wait_for_selector(".gc-evidence")
    page.answer().locator(".element-link", has_text="[1]").first.click()
    assert first_item(page.answer()).locator("summary").inner_text() == triple
    assert first_item(page.answer()).locator(".gc-body").inner_text() == details
    again = page.answer().locator(".message-content").inner_text()
    assert again == shown
    assert page.foreign == []
    assert page.errors == []


def test_chinese_page_and_answer(server: Server, chromium: Any) -> None:
    context = chromium.new_context(locale="zh-CN", viewport={"width": 380, "height": 800})
    page = Page(context, server.url)
    answer = page.ask("偏头痛怎么治疗？")
    text = answer.inner_text()
    assert re.search(r"[\u4e00-\u9fff]{2}", text)
    assert "不构成医疗建议" in page.tab.locator(".watermark").inner_text()
    answer.locator(".element-link", has_text="[1]").first.click()
    assert first_item(answer).get_attribute("open") is not None
    width = page.tab.evaluate("document.documentElement.scrollWidth")
    assert width <= 380
    context.close()


# Where a chip begins and ends, and the letter after it, in every paragraph of an answer.
CHIPS = r"""answer => [...answer.querySelectorAll(".element-link")].flatMap(chip => {
  const next = chip.nextSibling;
  if (!next || next.nodeType !== Node.TEXT_NODE || !next.data.trim()) return [];
  const range = document.createRange();
  range.setStart(next, 0);
  range.setEnd(next, 1);
  const after = range.getBoundingClientRect(), box = chip.getBoundingClientRect();
  return [[next.data[0], after.left - box.right, after.bottom > box.top && after.top < box.bottom]];
})"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("question", [QUESTION, "偏头痛有哪些症状？"])
def test_citations_hold_on_to_their_punctuation(
    server: Server, chromium: Any, question: str, width: int
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800})
    page = Page(context, server.url)
    answer = page.ask(question)
    after = [chip for chip in answer.evaluate(CHIPS) if chip[0] in ",.;:，。、；："]
    assert len(after) > 3
    for letter, gap, same_line in after:
        assert same_line and abs(gap) < 1.5, (letter, gap)
    context.close()


def test_search_finds_chinese(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    page.ask("哮喘有哪些症状？")
    page.tab.click("#search-chats-button")
    page.tab.get_by_placeholder("Search conversations").fill("哮喘")
    page.tab.locator("[role=dialog] [role=option]", has_text="哮喘有哪些症状").first.wait_for()


def test_the_evidence_is_reached_by_keyboard(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    answer = page.ask(QUESTION)
    answer.locator(".element-link", has_text="[1]").first.focus()
    page.tab.keyboard.press("Enter")
    assert first_item(answer).get_attribute("open") is not None
    focused = page.tab.evaluate("document.activeElement.closest('.gc-item').dataset.number")
    assert focused == "1"
    page.tab.keyboard.press("Enter")
    assert first_item(answer).get_attribute("open") is None


def test_two_turns_hang_together_and_edit_leaves_one(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    page.ask(QUESTION)
    page.tab.wait_for_url("**/thread/*")
    page.ask("What are its symptoms?")
    assert page.tab.locator("[data-step-type=user_message]").count() == 2
    question = page.tab.locator("[data-step-type=user_message]").first
    question.hover()
    page.tab.locator(".edit-message").first.click()
    page.tab.fill("#edit-chat-input", "What are the symptoms of asthma?")
    page.tab.locator(".confirm-edit").click()
    page.tab.get_by_text("asthma", exact=False).last.wait_for()
    page.tab.wait_for_selector("#stop-button", state="detached")
    page.tab.locator("#thread-history a", has_text="symptoms of asthma").first.wait_for()
    page.tab.reload()
    page.tab.wait_for_selector(".gc-evidence")
    assert page.tab.locator("[data-step-type=user_message]").count() == 1
    assert page.tab.locator("[data-step-type=assistant_message]").count() == 1
    assert page.tab.locator("[data-step-type=tool]").count() == 1


def test_open_domain_says_that_it_is_not_set_up(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    page.tab.click("#mode-picker-trigger-mode")
    page.tab.get_by_text("Open domain").click()
    page.tab.fill("#chat-input", "Who wrote Faust?")
    page.tab.click("#chat-submit")
    page.answer().get_by_text("not set up yet").wait_for()


def test_the_first_enter_of_an_input_method_only_confirms(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    page.tab.focus("#chat-input")
    session = context.new_cdp_session(page.tab)
    composing = {"selectionStart": 3, "selectionEnd": 3, "text": "pian"}
    session.send("Input.imeSetComposition", composing)
    for kind in ("rawKeyDown", "keyUp"):
        # While composing, a browser reports every key as 229 (process).
        key = {"type": kind, "key": "Process", "windowsVirtualKeyCode": 229, "code": "Enter"}
        session.send("Input.dispatchKeyEvent", key)
    session.send("Input.insertText", {"text": "偏头痛"})
    page.tab.wait_for_timeout(200)
    assert page.tab.input_value("#chat-input") == "偏头痛"
    assert page.tab.locator("[data-step-type=user_message]").count() == 0
    page.tab.keyboard.press("Enter")
    page.tab.locator("[data-step-type=user_message]").wait_for()


def test_deleting_a_conversation_leaves_nothing_on_disk(server: Server, context: Any) -> None:
    page = Page(context, server.url)
    word = "Xylophonequestion"
    page.tab.fill("#chat-input", f"{word} about migraine")
    page.tab.click("#chat-submit")
    page.tab.wait_for_selector("[data-step-type=assistant_message]")
    page.tab.wait_for_selector("#stop-button", state="detached")
    page.tab.goto(server.url)
    page.tab.wait_for_selector("#starters")
    row = page.tab.locator("#thread-history li", has_text=word).first
    row.hover()
    row.locator("#thread-options").click()
    page.tab.locator("#delete-thread").click()
    page.tab.locator("[role=alertdialog] button.bg-primary").click()
    page.tab.locator("#thread-history li", has_text=word).first.wait_for(state="detached")
    for file in server.home.glob("graphcite.sqlite*"):
        assert word.encode() not in file.read_bytes()


def test_foreign_requests_are_refused_on_the_wire(server: Server) -> None:
    for headers in (
        {"Host": "evil.test", "Upgrade": "websocket", "Connection": "Upgrade"},
        {"Host": f"127.0.0.1:{server.port}", "Origin": "http://evil.test"},
        {
            "Host": f"127.0.0.1:{server.port}",
            "Origin": "http://evil.test",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
        },
    ):
        lines = ["GET /ws/socket.io/?EIO=4&transport=websocket HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
            wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            assert wire.recv(4096).split(b"\r\n")[0].split()[1] == b"403"


def test_the_page_is_ours_and_says_so(server: Server) -> None:
    with urlopen(f"{server.url}/") as answer:
        page = answer.read().decode()
        assert "<title>Graphcite</title>" in page
        assert "fonts.googleapis.com/css" not in page
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    query = Request(f"{server.url}/project/translations?language=zh-CN")
    with urlopen(query) as answer:
        words = json.load(answer)["translation"]
    assert "不构成医疗建议" in words["chat"]["watermark"]
