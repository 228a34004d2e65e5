"""Who gets advice, of which kind, and who does not."""

from __future__ import annotations

import pytest

from bot.safety import MEDICAL_NOTICE, assess, medical_notice

EMERGENCY = """
I have crushing chest pain and my left arm hurts
chest pain radiating to my jaw, what should I do?
My chest hurts and I am short of breath
I'm sweating and have chest pressure spreading to my shoulder
I think my dad is having a heart attack
my mother is having a stroke
I can't breathe
My husband stopped breathing
My baby is choking
Her lips are turning blue
his face is drooping and his speech is slurred
I suddenly can't speak
My left arm suddenly went numb
Sudden weakness on one side of my body
This is the worst headache of my life
The bleeding won't stop
I am bleeding heavily after the fall
He is vomiting up blood, vomiting up a lot of blood
My friend is unconscious
She collapsed and is not responding, help
I can't wake him up
My son is having a seizure
The seizure has lasted for ten minutes
My throat is swelling after eating peanuts
I was stung by a bee and my tongue is swollen
he is having a severe allergic reaction
What should I do, my wife is unresponsive
I am not sure if my son is having a seizure
I don't know, he is not breathing
""".strip().splitlines()

POISONING = """
I took too many paracetamol tablets
My daughter swallowed a battery
My son drank bleach
He took a whole bottle of aspirin
I swallowed 30 pills
she ate rat poison
My toddler ate some mushrooms from the garden
I think I have overdosed
My brother has overdosed on heroin
we drank antifreeze by mistake
""".strip().splitlines()

SELF_HARM = """
I want to kill myself
I want to die
I don't want to live anymore
I am thinking about suicide
I feel suicidal
I wish I were dead
How many sleeping pills to kill myself?
I cut myself again, I want to hurt myself
everyone would be better off without me
I am going to end my life
there is no reason to go on
""".strip().splitlines()

QUIET = """
What are the signs of a heart attack?
What are the symptoms of stroke?
What is anaphylaxis?
What causes chest pain?
Which drugs cause seizures?
What are the treatments for migraine?
Is suicide risk increased in depression?
What is the suicide rate in Norway?
How is paracetamol overdose treated?
Explain the mechanism of carbon monoxide poisoning
What are the risk factors for self-harm?
I have no chest pain and no shortness of breath
My cough is mild, no chest pain
Patient denies chest pain radiating to the arm
I have a headache since yesterday
My knee hurts when I climb stairs
What are the signs of Marfan syndrome?
Does sumatriptan interact with ibuprofen?
How long does a seizure last in absence epilepsy?
I had a heart murmur as a child
my grandmother takes warfarin
What should I eat with high blood pressure?
Can a stroke cause depression?
Why do people choke on food?
I do not want to kill myself, I only ask for school
List the red flags of headache
How common is anaphylaxis after bee stings?
I drank too little water
My skin is itching after eating strawberries
My father had a stroke last year, which foods are good?
I hurt myself while running
I cut myself shaving
I ate too much yesterday
I took 20 mg tablets of prednisone
I had mushrooms for dinner
She has epilepsy since childhood
My face is red after running
""".strip().splitlines()

EMERGENCY_ZH = """
我胸口疼，左臂也疼
胸痛放射到后背，出了一身冷汗
我喘不过气，胸口很痛
我爸心梗发作了怎么办
我妈好像中风了
孩子喘不上气
他没有呼吸了
嘴唇发紫怎么办
我妈突然说不出话
他突然半边身子动不了
爷爷嘴歪了，说话不清
血流不止怎么办
我朋友大量吐血
老人晕倒了怎么办
他昏迷了，快救救他
孩子叫不醒
孩子正在抽搐
抽搐不停怎么办
吃了花生以后喉咙肿了，呼吸困难
我嘴唇肿了，刚吃了海鲜
宝宝被果冻噎住了，脸发紫
这是我一生中最剧烈的头痛
""".strip().splitlines()

POISONING_ZH = """
孩子误服了农药
我喝了百草枯
宝宝吞了一颗纽扣电池
我吃了一整瓶安眠药
他吃了三十片对乙酰氨基酚
妈妈煤气中毒了
误食毒蘑菇怎么办
我吃了20片药
孩子喝了洁厕灵
""".strip().splitlines()

SELF_HARM_ZH = """
我想自杀
我不想活了
我想死
活着没有意义
我想结束自己的生命
怎么自杀不痛苦
我又割腕了
活不下去了
我总想伤害自己
死了算了
""".strip().splitlines()

QUIET_ZH = """
心肌梗死的症状有哪些？
中风有哪些表现？
什么是过敏性休克？
胸痛的原因有哪些？
偏头痛怎么治疗？
哪些药会引起癫痫发作？
一氧化碳中毒的机制是什么？
请介绍脑卒中的危险因素
自杀的危险因素有哪些？
抑郁症患者自杀率高吗？
我没有胸痛，也没有呼吸困难
患者无胸痛放射至左臂
我头痛两天了
孩子咳嗽怎么办
马凡综合征有什么体征？
高血压吃什么药？
布洛芬和舒马曲坦能一起吃吗
昏迷的定义
癫痫发作一般持续多久？
我奶奶在吃华法林
感冒挂什么科
对乙酰氨基酚过量如何诊断
我膝盖疼
我爸中风了三年，怎么康复
我想死你了
医生让我每天吃10片药
我昨天吃太多了
过敏性鼻炎的治疗
""".strip().splitlines()

CASES = [
    *((text, "en", "emergency") for text in EMERGENCY),
    *((text, "en", "poisoning") for text in POISONING),
    *((text, "en", "self-harm") for text in SELF_HARM),
    *((text, "en", None) for text in QUIET),
    *((text, "zh", "emergency") for text in EMERGENCY_ZH),
    *((text, "zh", "poisoning") for text in POISONING_ZH),
    *((text, "zh", "self-harm") for text in SELF_HARM_ZH),
    *((text, "zh", None) for text in QUIET_ZH),
]


@pytest.mark.parametrize(("text", "language", "kind"), CASES)
def test_kinds(text: str, language: str, kind: str | None) -> None:
    assert assess(text, language).kind == kind


@pytest.mark.parametrize(("text", "language"), [("I can't breathe", "en"), ("我喘不过气", "zh")])
def test_advice_names_emergency_numbers_in_the_questions_language(text: str, language: str) -> None:
    advice = assess(text, language).advice
    assert advice and all(number in advice for number in ("112", "911", "120", "999"))
    assert ("急救" in advice) is (language == "zh")


def test_self_harm_names_a_crisis_line() -> None:
    assert "988" in (assess("I want to die", "en").advice or "")
    assert "12356" in (assess("我不想活了", "zh").advice or "")


def test_a_very_long_or_empty_question_is_quick() -> None:
    assert assess("", "en").kind is None
    assert assess("chest pain " * 2000, "en").kind is None
    assert assess("胸口" * 10000, "zh").kind is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_notice(language: str) -> None:
    assert medical_notice(language) == MEDICAL_NOTICE[language]
    assert "medical device" in medical_notice("en") and "医疗器械" in medical_notice("zh")
