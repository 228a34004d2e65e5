"""The composer's wording in English and Chinese: templates, and what values are called.

An aspect's facts are told from one of two ends. From the *topic*: "As treatments for {topic},
{source} lists {items}"; from the *value*: "{source} lists {value} as a treatment for {items}".
Every template ends with its items, because each item carries its marker and the last one closes
the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ABSTENTION",
    "BAND_NAMES",
    "LINE_NAMES",
    "RELIEF",
    "SAME_SOURCE",
    "WITHHELD",
    "OTHER",
    "POPULATIONS",
    "Noun",
    "Telling",
    "is_abstention",
    "noun_of",
    "telling",
]

ABSTENTION = {
    "en": "The graph holds no evidence for an answer to this question.",
    "zh": "图谱中没有可以回答这个问题的证据。",
}


# In place of an answer where somebody may be about to harm themselves, or is poisoned: a list of
# what a medicine treats is the last thing that is needed.
WITHHELD = {
    "en": "Nothing from the graph is shown here: please get help first.",
    "zh": "这里不显示图谱内容：请先寻求帮助。",
}


def is_abstention(answer: str) -> bool:
    """Whether the answer claims nothing: there is no evidence, or it is withheld."""
    return answer.strip() in (*ABSTENTION.values(), *WITHHELD.values())


@dataclass(frozen=True, slots=True)
class Noun:
    """What the values of an aspect are to their topic: "treatment for", "treatments for"."""

    one: str
    many: str


@dataclass(frozen=True, slots=True)
class Telling:
    """The templates of one aspect. `one` and `many` from the topic, `value` from the other end.

    The second of each pair continues: the first sentence has already named the source.
    """

    one: str
    many: str
    more: str
    value: str
    value_more: str


# What eases a disease without changing its course is told apart from what treats it.
RELIEF = "relief"

_NOUNS = {
    "treatment": Noun("treatment for", "treatments for"),
    "prevention": Noun("way of preventing", "ways of preventing"),
    "symptom": Noun("sign or symptom of", "signs and symptoms of"),
    "cause": Noun("cause of", "causes of"),
    "risk-factor": Noun("risk factor for", "risk factors for"),
    "complication": Noun("complication of", "complications of"),
    "side-effect": Noun("side effect of", "side effects of"),
    "contraindication": Noun("contraindication to", "contraindications to"),
    "interaction": Noun("substance that interacts with", "substances that interact with"),
    "red-flag": Noun("warning sign in", "warning signs in"),
    "diagnosis": Noun("test or examination for", "tests and examinations for"),
    "department": Noun("department for", "departments for"),
    "anatomy": Noun("part of the body involved in", "parts of the body involved in"),
    "classification": Noun("kind of", "kinds of"),
    "inheritance": Noun("mode of inheritance of", "modes of inheritance of"),
    "transmission": Noun("way of transmission of", "ways of transmission of"),
    RELIEF: Noun("way of relieving", "ways of relieving"),
}

_CHINESE_NOUNS = {
    "treatment": "治疗方法",
    "prevention": "预防方法",
    "symptom": "症状或体征",
    "cause": "病因",
    "risk-factor": "危险因素",
    "complication": "并发症",
    "side-effect": "副作用",
    "contraindication": "禁忌",
    "red-flag": "危险信号",
    "diagnosis": "检查方法",
    "department": "就诊科室",
    "anatomy": "相关部位",
    "inheritance": "遗传方式",
    "transmission": "传播途径",
    RELIEF: "缓解方法",
}

_ENGLISH = Telling(
    one="As {a_noun} {topic}, {source} {lists} {items}.",
    many="As {noun} {topic}, {source} {lists} {items}.",
    more="Among the {noun} {topic}, {source} also {lists} {items}.",
    value="{source} {lists} {value} as {a_noun} {items}.",
    value_more="{source} also {lists} {value} as {a_noun} {items}.",
)
_CHINESE = Telling(
    one="{source}列出的{topic}的{noun}是{items}。",
    many="{source}列出的{topic}的{noun}有{items}。",
    more="{source}列出的{topic}的{noun}还有{items}。",
    value="根据{source}，以{value}为{noun}的有{items}。",
    value_more="根据{source}，以{value}为{noun}的还有{items}。",
)
_SPECIAL = {
    ("en", "absence"): Telling(
        one="In {topic}, {source} {lists} as looked for and not found {items}.",
        many="In {topic}, {source} {lists} as looked for and not found {items}.",
        more="In {topic}, {source} also {lists} as looked for and not found {items}.",
        value="{source} {lists} {value} as looked for and not found in {items}.",
        value_more="{source} also {lists} {value} as looked for and not found in {items}.",
    ),
    ("zh", "absence"): Telling(
        one="根据{source}，在{topic}中查找过但未发现的是{items}。",
        many="根据{source}，在{topic}中查找过但未发现的有{items}。",
        more="根据{source}，在{topic}中查找过但未发现的还有{items}。",
        value="根据{source}，查找过但未发现{value}的有{items}。",
        value_more="根据{source}，查找过但未发现{value}的还有{items}。",
    ),
    ("en", "non-indication"): Telling(
        one="{source} {lists} as not indicated for {topic} {items}.",
        many="{source} {lists} as not indicated for {topic} {items}.",
        more="{source} also {lists} as not indicated for {topic} {items}.",
        value="{source} {lists} {value} as not indicated for {items}.",
        value_more="{source} also {lists} {value} as not indicated for {items}.",
    ),
    ("zh", "non-indication"): Telling(
        one="根据{source}，不用于治疗{topic}的是{items}。",
        many="根据{source}，不用于治疗{topic}的有{items}。",
        more="根据{source}，不用于治疗{topic}的还有{items}。",
        value="根据{source}，{value}不用于治疗{items}。",
        value_more="根据{source}，{value}也不用于治疗{items}。",
    ),
    # {label} is the relation's: "use in pregnancy", "儿童用药"
    ("en", "regulation"): Telling(
        one="On the regulatory status of {topic}, {source} {lists} {items}.",
        many="On the regulatory status of {topic}, {source} {lists} {items}.",
        more="On the regulatory status of {topic}, {source} also {lists} {items}.",
        value="As {value}, {source} {lists} {items}.",
        value_more="As {value}, {source} also {lists} {items}.",
    ),
    ("zh", "regulation"): Telling(
        one="关于{topic}的上市状态，{source}列出的是{items}。",
        many="关于{topic}的上市状态，{source}列出的是{items}。",
        more="关于{topic}的上市状态，{source}还列出{items}。",
        value="根据{source}，{value}的有{items}。",
        value_more="根据{source}，{value}的还有{items}。",
    ),
    ("en", "population"): Telling(
        one="On {label}, {source} {lists} {topic} as {items}.",
        many="On {label}, {source} {lists} {topic} as {items}.",
        more="On {label}, {source} also {lists} {topic} as {items}.",
        value="On {label}, {source} {lists} as {value}: {items}.",
        value_more="On {label}, {source} also {lists} as {value}: {items}.",
    ),
    ("zh", "population"): Telling(
        one="关于{topic}的{label}，{source}列出：{items}。",
        many="关于{topic}的{label}，{source}列出：{items}。",
        more="关于{topic}的{label}，{source}还列出：{items}。",
        value="关于{label}，{source}列为“{value}”的有{items}。",
        value_more="关于{label}，{source}列为“{value}”的还有{items}。",
    ),
    ("zh", "interaction"): Telling(
        one="{source}列出的与{topic}有相互作用的是{items}。",
        many="{source}列出的与{topic}有相互作用的有{items}。",
        more="{source}列出的与{topic}有相互作用的还有{items}。",
        value="{source}列出的与{value}有相互作用的有{items}。",
        value_more="{source}列出的与{value}有相互作用的还有{items}。",
    ),
    ("zh", "classification"): Telling(
        one="{source}列出的{topic}的类型是{items}。",
        many="{source}列出的{topic}的类型有{items}。",
        more="{source}列出的{topic}的类型还有{items}。",
        value="根据{source}，{value}属于{items}。",
        value_more="根据{source}，{value}还属于{items}。",
    ),
}


def telling(aspect: str, language: str) -> Telling | None:
    """The templates for an aspect; None when its facts are told by their relation's label."""
    if special := _SPECIAL.get((language, aspect)):
        return special
    if aspect not in (_CHINESE_NOUNS if language == "zh" else _NOUNS):
        return None
    return _CHINESE if language == "zh" else _ENGLISH


def noun_of(aspect: str, language: str) -> Noun:
    """What an aspect's values are called."""
    if language == "zh":
        word = _CHINESE_NOUNS.get(aspect, "")
        return Noun(word, word)
    return _NOUNS.get(aspect, Noun("", ""))


LINE_NAMES = {
    "en": {
        "first": "first-line",
        "second": "second-line",
        "third": "third-line",
        "add on": "add-on",
    },
    "zh": {"first": "一线", "second": "二线", "third": "三线", "add on": "辅助"},
}
BAND_NAMES = {
    "en": {
        "very frequent": "very frequent",
        "frequent": "frequent",
        "occasional": "occasional",
        "rare": "rare",
    },
    "zh": {
        "very frequent": "极常见",
        "frequent": "常见",
        "occasional": "偶见",
        "rare": "罕见",
    },
}

# For whom a fact holds; a value that is not listed is shown as it stands.
POPULATIONS = {
    "en": {
        "children": "in children",
        "adults": "in adults",
        "older people": "in older people",
        "pregnancy": "in pregnancy",
        "severe illness": "in severe illness",
    },
    "zh": {
        "children": "儿童",
        "adults": "成人",
        "older people": "老年人",
        "pregnancy": "妊娠期",
        "severe illness": "重症",
    },
}

# The source named in the sentence before.
SAME_SOURCE = {"en": ("it", "they"), "zh": ("该来源", "这些来源")}

OTHER = {"en": "other", "zh": "其他"}

DESCRIBES = {
    "en": "{source} {describes} {topic} as follows: {text}",
    "zh": "{source}对{topic}的描述是：{text}",
}
ACCORDING = {"en": "According to {source}, {statement}.", "zh": "根据{source}，{statement}。"}
# A fact by its relation's label: what follows the subject, and where that does not come first.
VERB = {"en": "{label} {object}", "zh": "{label}{object}"}
CHINESE_NAMED = "“{label}”为{object}"
NOMINAL = "the {label} of {subject} is {object}"
# Of the same subject, after what was said of it.
AND_ALSO = {"en": "{one} and {other}", "zh": "{one}，{other}"}
BUT_ALSO = {"en": "{one} but {other}", "zh": "{one}，但{other}"}

# Chains. What has the same role beside both outer ends of a chain is told of both at once.
BOTH = {"en": "both {one} and {other}", "zh": "{one}和{other}"}
# How the two are one topic or value in the templates above, where it is not "{both}共同".
CHINESE_BOTH = {
    ("topic", "interaction"): "{both}都",
    ("topic", "absence"): "{both}两者",
    ("topic", "non-indication"): "{both}",
    ("value", "classification"): "{both}都",
    ("value", "interaction"): "{both}都",
}
# In place of the entities in which several chains differ; they are listed after it.
EACH = {"en": "each of these", "zh": "以下各项"}
LISTED = {"en": "{statement}: {items}", "zh": "{statement}：{items}"}
# Between a statement that something helps and one of harm.
BUT = {"en": "{one}, but {other}", "zh": "{one}，但{other}"}
ACCORDING_ALSO = {
    "en": "{before}, and according to {source}, {statement}",
    "zh": "{before}；根据{source}，{statement}",
}
