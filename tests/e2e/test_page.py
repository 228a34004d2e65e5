"""The page with awkward texts, slow answers and failures, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot.page.scripted import ADVICE, CAUTIONS
from tests.e2e.conftest import Server
from tests.e2e.tab import Page

pytestmark = [pytest.mark.e2e, pytest.mark.integration]

LINES = (
    "The graph lists sumatriptan as a treatment of migraine [1].",
    "It is contraindicated with angina pectoris [1][2].",
    "See dbo:birthPlace and ~3 mg … ~4 mg [3]. Costs $5 to $10.",
)
LABEL = "umls:C0001 <b>bold</b> ![x](http://evil.test/x.png)"
AWKWARD = "dbo:x $5 to $10 ~3~ a|b p<0.05 1*2*3 snake_case # not a heading"


def test_awkward_texts_are_seen_letter_by_letter(scripted_server: Server, context: Any) -> None:
    page = Page(context, scripted_server.url)

    def check() -> None:
        answer = page.answer_text()
        for line in LINES:
            assert line in answer
        assert LABEL in answer
        assert page.tab.locator("[data-step-type=user_message]").inner_text().strip() == AWKWARD
        assert page.tab.locator(f"#thread-history >> text={AWKWARD}").count() == 1
        assert page.answer().locator("img[src*=evil], h1, del, b").count() == 0

    page.ask(AWKWARD)
    page.tab.wait_for_url("**/thread/*")
    check()
    page.tab.reload()
    page.tab.wait_for_selector(".gc-evidence")
    check()
    assert page.foreign == []
    assert page.errors == []


def test_stop_keeps_the_text_and_a_reload_follows(scripted_server: Server, context: Any) -> None:
    page = Page(context, scripted_server.url)
    page.send("slow")
    page.answer().get_by_text("as a treatment of migraine").wait_for()
    page.tab.wait_for_url("**/thread/*")
    page.tab.reload()
    page.answer().get_by_text("as a treatment of migraine").wait_for()
    page.tab.click("#stop-button")
    page.tab.wait_for_selector("#stop-button", state="detached", timeout=2000)
    page.answer().get_by_text("Stopped. The answer above is not complete.").wait_for()
    assert page.tab.get_by_text("manually stopped").count() == 0
    page.ask("and on")
    assert LINES[2] in page.answer_text()


def test_a_conversation_is_resumed_in_whatever_order_the_server_answers(
    scripted_server: Server, context: Any
) -> None:
    page = Page(context, scripted_server.url)
    page.ask("migraine")
    page.tab.wait_for_url("**/thread/*")
    held: list[Any] = []

    def hold_the_first(route: Any) -> None:
        held.append(route)
        if len(held) == 2:
            route.continue_()

    page.tab.route("**/set-session-cookie", hold_the_first)
    with page.tab.expect_response("**/set-session-cookie"):
        page.tab.reload()
    held[0].continue_()
    page.tab.wait_for_selector(".gc-evidence")
    page.ask("and on")
    assert page.tab.locator(".gc-evidence").count() == 2


def test_advice_refusal_failure_and_nothing(scripted_server: Server, context: Any) -> None:
    page = Page(context, scripted_server.url)
    page.ask("emergency")
    answer = page.answer_text()
    assert answer.index(ADVICE) < answer.index(LINES[0])
    for question, said in (
        ("refused", "This was <b>refused</b>: ask dbo:something else."),
        ("broken", "Something went wrong while answering."),
        ("nothing", "The graph holds nothing about this."),
    ):
        page.send(question)
        page.answer().get_by_text(said).wait_for()
        page.tab.wait_for_selector("#stop-button", state="detached")
    assert "secret" not in page.tab.content()


def test_cautions_stand_between_answer_and_evidence(scripted_server: Server, context: Any) -> None:
    page = Page(context, scripted_server.url)
    page.ask("caution")
    page.tab.wait_for_url("**/thread/*")

    def check(width: int) -> None:
        page.tab.set_viewport_size({"width": width, "height": 800})
        answer = page.answer_text()
        places = [answer.index(text) for text in (LINES[2], "Caution", *CAUTIONS, "Evidence")]
        assert places == sorted(places)
        box = page.answer().get_by_text(CAUTIONS[0]).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width

    check(390)
    check(1280)
    page.tab.reload()
    page.tab.wait_for_selector(".gc-evidence")
    check(1280)
    check(390)


def test_feedback_with_a_comment_is_there_after_a_reload(
    scripted_server: Server, context: Any
) -> None:
    page = Page(context, scripted_server.url)
    page.ask("migraine")
    page.tab.locator(".positive-feedback-off").click()
    page.tab.locator("[role=dialog] textarea").fill("helped")
    page.tab.click("#submit-feedback")
    page.tab.wait_for_selector(".positive-feedback-on")
    page.tab.wait_for_url("**/thread/*")
    page.tab.reload()
    page.tab.wait_for_selector(".positive-feedback-on")
    page.tab.locator(".positive-feedback-on").click()
    page.tab.wait_for_selector(".positive-feedback-off")


def test_without_our_script_a_citation_opens_its_own_page(
    scripted_server: Server, context: Any
) -> None:
    context.route("**/public/graphcite.js", lambda route: route.abort())
    page = Page(context, scripted_server.url)
    page.ask("migraine")
    page.answer().locator(".element-link", has_text="[2]").first.click()
    page.tab.wait_for_selector("#element-view .gc-evidence")
    assert page.tab.locator(".gc-item").count() == 1
    assert "Angina pectoris" in page.tab.locator(".gc-item").inner_text()
