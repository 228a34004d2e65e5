"""What can be chosen before asking: the mode at the message box, and questions to start with."""

from __future__ import annotations

import chainlit as cl
from chainlit.mode import Mode, ModeOption

from bot.page.words import words_for

__all__ = ["MODES", "chosen_mode", "mode_picker", "starters"]

MODES = ("medical", "open")
_ICONS = {"medical": "stethoscope", "open": "globe"}

# Each is answered from the starter graph alone.
_STARTERS = {
    "en": (
        ("Treatments for migraine", "What are the treatments for migraine?"),
        ("Symptoms of asthma", "What are the symptoms of asthma?"),
        ("Side effects of metformin", "What are the side effects of metformin?"),
        ("Causes of iron-deficiency anaemia", "What causes iron-deficiency anaemia?"),
    ),
    "zh": (
        ("偏头痛的治疗", "偏头痛怎么治疗？"),
        ("哮喘的症状", "哮喘有哪些症状？"),
        ("二甲双胍的副作用", "二甲双胍有哪些副作用？"),
        ("高血压的危险因素", "高血压的危险因素有哪些？"),
    ),
}


def mode_picker(language: str, mode: str) -> list[Mode]:
    """The picker beside the message box, with `mode` chosen."""
    words = words_for(language)
    options = [
        ModeOption(
            id=name,
            name=words[name],
            description=words[f"{name}_help"],
            icon=_ICONS[name],
            default=name == mode,
        )
        for name in MODES
    ]
    return [Mode(id="mode", name=words["mode"], options=options)]


def chosen_mode(message: cl.Message, default: str) -> str:
    """The mode that a message was sent with; the default where it names none of ours."""
    mode = (message.modes or {}).get("mode", default)
    return mode if mode in MODES else default


def starters(language: str) -> list[cl.Starter]:
    """Questions to start with."""
    return [cl.Starter(label=label, message=text) for label, text in _STARTERS[language]]
