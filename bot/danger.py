"""How people say that somebody is in danger now: patterns for bot.safety, in English and Chinese.

Patterns see lower-case text with straight apostrophes and single spaces. They are written for the
first person or somebody close by; history ("had a stroke last year") must not match.
"""

from __future__ import annotations

import re

__all__ = ["DANGERS"]

_CAN_NOT = r"(?:can'?t|cannot|can not|could not|couldn'?t)"
_SPREADS = r"(?:arm|jaw|neck|back|shoulder|breath\w*|sweat\w*|faint\w*|dizz\w*|spread\w*|radiat\w*)"
_SWELLS = r"(?:swelling|swollen|swells?|closing|closes|closed up)"

_SELF_HARM = (
    r"\b(?:kill|hang|shoot) myself\b",
    r"\b(?:want|wanna|going|need|urge|plan\w*|thinking|think|feel like|about) (?:\w+ )?"
    r"(?:hurt|hurting|harm|harming|cut|cutting) myself\b",
    r"\b(?:hurt|harm|cut)(?:ting|ing)? myself (?:again|on purpose|deliberately)\b",
    r"\b(?:end|take|ending|taking) my (?:own )?life\b|\bend it all\b",
    r"\b(?:want|wanna|wish|going|ready|plan\w*) to (?:die|be dead|commit suicide)\b",
    r"\bi(?:'m| am| feel|'ve been feeling)? (?:\w+ )?suicidal\b|\bthinking (?:about|of) suicide\b",
    r"\bwish i (?:was|were) dead\b|\bbetter off (?:dead|without me)\b",
    r"\b(?:don'?t|do not|no longer) want to (?:live|be alive|wake up|go on living)\b",
    r"\bno reason (?:to live|to go on|for living)\b|\bi (?:\w+ ){0,2}self[- ]harm",
    r"\bhow (?:do|can|could|would|should|to)\b.{0,12}\b(?:commit suicide|kill myself"
    r"|end my life)\b",
    r"\b(?:painless|easiest|best|quick(?:est)?) way to (?:die|kill)\b",
    r"(?:我|自己).{0,6}(?:想死(?!你|他|她)|不想活|想自杀|要自杀|自杀的?念头|[想要]自残|割腕|轻生)",
    r"^(?:想死|想自杀)(?!你|他|她)|不想活了|不想再活|活不下去|活着.{0,3}没.{0,2}意[思义]|死了算了|想去死",
    r"[想要](?:结束|了结)(?:我|自己)?的?(?:生命|一生)|[想要](?:伤害|弄伤)(?:我)?自己",
    r"(?:怎么|如何|怎样|什么方法).{0,4}(?:自杀|死得|死才|去死)",
)

_SUBSTANCES = (
    r"(?:bleach|antifreeze|detergent|drain cleaner|pesticides?|rat poison|batter(?:y|ies)|poison"
    r"|lamp oil|methanol|weed ?killer|paraquat|wild mushrooms?|mushrooms? from)"
)
_POISONING = (
    r"\b(?:took|taken|swallowed|ingested) (?:\w+ ){0,3}(?:too many|too much|an overdose)\b",
    r"\b(?:took|taken|swallowed|ingested|drank) (?:\w+ ){0,2}(?:whole|entire) "
    r"(?:bottle|pack|box|blister)\b",
    r"\b(?:swallowed|drank|ingested) (?:a|the|my|his|her) (?:bottle|pack|box|blister) of\b",
    r"\b(?:took|taken|swallowed|ingested) (?:\w+ ){0,2}\d{2,} (?!mg|mcg|ml|g\b)(?:\w+ )?"
    r"(?:pills?|tablets?|capsules?)",
    rf"\b(?:swallowed|drank|drunk|ingested|ate|eaten) (?:\w+ ){{0,4}}{_SUBSTANCES}",
    r"\b(?:i|he|she|we|has|have) (?:just |probably )?overdosed\b|\bbeen poisoned\b",
    r"\bcarbon monoxide (?:alarm|leak)\b",
    r"(?:误服|误食|误喝|喝了|喝下|吞了|吞下|吃了|服了).{0,10}(?:农药|百草枯|敌敌畏|敌百虫|漂白|消毒液|洁厕|"
    r"老鼠药|毒药|毒蘑菇|野蘑菇|电池|防冻液|甲醇|洗涤剂|清洁剂|煤油)|(?:误食|误服).{0,6}(?:蘑菇|药)",
    r"[吃服吞喝](?:了|下)(?:一整瓶|整瓶|一整盒|整盒|太多.{0,6}药|过量)",
    r"[吃服吞喝](?:了|下)(?:[二两三四五六七八九几]?十[多几]?|\d{2,} ?)[片粒颗]",
    r"(?:我|他|她|孩子|宝宝|妈妈?|爸爸?|老人|家人|朋友).{0,10}(?:服药过量|用药过量|中毒了)",
)

_HEART = (
    rf"\bchest\b.{{0,20}}\b(?:pain|pressure|tight\w*|hurts?)\b.{{0,60}}\b{_SPREADS}",
    rf"\b(?:crushing|severe|sudden|terrible|squeezing)\b.{{0,20}}\bchest\b.{{0,60}}\b{_SPREADS}",
    r"\b(?:breath\w*|sweat\w*|arm|jaw)\b.{0,40}\bchest (?:pain|pressure|tight\w*|hurts?)",
    r"\b(?:i have|i'?ve got|i feel|having|has) (?:a |an )?(?:\w+ )?(?:crushing|squeezing)"
    r" (?:chest pain|pain in (?:my|his|her|the) chest|(?:\w+ )?chest)",
    r"\b(?:having|suffering|i have) (?:\w+ )?(?:a )?(?:heart attack|stroke|cardiac arrest)\b",
    r"胸(?:口|部)?.{0,4}(?:疼|痛|闷|压榨).{0,20}(?:左臂|左肩|手臂|胳膊|下巴|后背|放射|汗|喘不|呼吸困难|气短|晕)",
    r"(?:喘不(?:过|上)气|呼吸困难|冷汗|大汗).{0,20}胸(?:口|部)?.{0,2}(?:疼|痛|闷)",
    r"(?:我|他|她|爸|妈|父亲|母亲|爷爷|奶奶|老人|老公|老婆|孩子|朋友).{0,12}(?:心梗|心脏病|中风|脑梗|脑卒中)"
    r"(?:发作|了)(?!.{0,4}[年月])",
)
_BREATH = (
    rf"\b(?:i|he|she|we|baby|child) {_CAN_NOT} breathe\b",
    r"\b(?:stopped|not|isn't|no longer) breathing\b",
    r"\b(?:my|his|her|the) (?:\w+ )?(?:is|keeps) choking\b|\bi(?:'m| am) choking\b",
    r"\bstruggling to breathe\b|\bgasping for (?:air|breath)\b",
    r"\b(?:lips|face) (?:\w+ )?(?:turn(?:ing|ed)|are|is|going|went) blue\b",
    r"喘不(?:过|上)来?气|(?:没有?|停止)呼吸(?!困难|道|系统|衰|机)|(?:不能|无法)呼吸|嘴唇.{0,4}(?:发紫|发青|变紫)",
    r"[噎呛卡](?:住|到)了.{0,12}(?:呼吸|喘|脸|发紫|说不出)|噎住了",
)
_STROKE = (
    r"\b(?:face|mouth|smile) (?:\w+ )?(?:is |has |suddenly )*(?:droop\w*|hanging|lopsided)",
    r"\bsudden(?:ly)?\b.{0,40}\b(?:numb\w*|weak\w*|paraly\w+|slurr\w*)",
    rf"\bsudden(?:ly)?\b.{{0,40}}\b{_CAN_NOT} (?:speak|see|move|talk)",
    rf"\b(?:{_CAN_NOT}|unable to) (?:move|lift|raise|feel) (?:my|his|her|the|one) (?:\w+ )?"
    r"(?:arm|leg|side|face)\b.{0,60}\b(?:speech|speak|slur\w*|face|suddenly|now)",
    r"\bworst headache of (?:my|his|her) life\b|一生中?最(?:剧烈|厉害)的头痛",
    r"突然.{0,15}(?:口角?歪|嘴歪|说不(?:出|清)话?|言语不清|半边|一侧|偏瘫|看不见|[手脚](?:无力|麻木))",
    r"(?:嘴|口角?|脸)歪.{0,15}(?:说话|手|胳膊|不清|无力)",
)
_BLEEDING = (
    rf"\bbleeding\b.{{0,30}}\b(?:won'?t|will not|doesn'?t|does not|{_CAN_NOT}) (?:be )?stop\w*",
    rf"\b(?:won'?t|{_CAN_NOT}) stop (?:the )?bleeding\b|\bblood is (?:spurting|gushing)\b",
    r"\b(?:bleeding (?:heavily|badly|a lot|profusely)|losing a lot of blood|spurting blood)\b",
    r"\b(?:coughing|vomiting|throwing) up (?:a lot of )?blood\b",
    r"大出血|血流不止|止不住血|出血不止|血止不住|一直流血|大量(?:吐血|呕血|咯血|出血)|喷血",
)
_CONSCIOUSNESS = (
    r"\bhit (?:my|his|her|the) head\b.{0,80}\b(?:warfarin|blood thinners?|anticoagulants?|apixaban"
    r"|rivaroxaban|dabigatran)\b|(?:撞|摔|磕).{0,4}头.{0,30}(?:华法林|抗凝|利伐沙班|阿哌沙班)",
    r"\b(?:is|are|went|lying|fell|found (?:him|her|them)|he's|she's) (?:\w+ )?(?:unconscious"
    r"|unresponsive|passed out)\b|\bcollapsed\b.{0,40}\b(?:now|respond\w*|breath\w*|help|just)\b",
    rf"\b(?:won'?t|doesn'?t|{_CAN_NOT}) wake(?: (?:him|her|them))?(?: up)?\b",
    r"\bhaving a (?:seizure|fit|convulsion)\b|\b(?:seizing|convulsing)(?: right)? now\b",
    r"\bseizure\b.{0,40}\b(?:won'?t stop|right now|for (?:five|ten|\d+) minutes)",
    r"(?:昏迷|晕倒|昏倒|失去意识|没有?意识|不省人事|没有?反应)(?:了|不醒)|叫不醒",
    r"(?:正在|一直|还在|突然).{0,4}(?:抽搐|抽风|惊厥|癫痫发作)",
    r"(?:抽搐|惊厥|癫痫发作).{0,8}(?:不停|停不下来|分钟了)",
)
_ALLERGY = (
    rf"\b(?:throat|tongue|lips|face)\b.{{0,25}}\b{_SWELLS}\b.{{0,60}}\b(?:breath\w*|bee|sting|stung"
    r"|peanuts?|nuts?|ate|eating|allerg\w*|hives|now)",
    rf"\b(?:stung|ate|eating|allerg\w*|hives)\b.{{0,60}}\b(?:throat|tongue|lips)\b.{{0,25}}\b{_SWELLS}",
    r"(?:'m|'s|\bam|\bis) (?:having|going into) (?:an? )?(?:anaphyla\w+|severe allergic reaction)",
    r"(?:喉咙|舌头|嘴唇|脸).{0,6}肿.{0,20}(?:呼吸|喘|过敏|吃了|花生|蜇|海鲜)",
    r"(?:吃了|被).{0,20}(?:喉咙|舌头|嘴唇|呼吸).{0,6}(?:肿|困难)|(?:我|他|她|孩子).{0,6}过敏性休克",
)

# In the order in which they are asked: who wants to die needs another number than who is bleeding.
DANGERS: tuple[tuple[str, tuple[re.Pattern[str], ...]], ...] = tuple(
    (kind, tuple(re.compile(pattern) for pattern in patterns))
    for kind, patterns in (
        ("self-harm", _SELF_HARM),
        ("poisoning", _POISONING),
        ("emergency", (*_HEART, *_BREATH, *_STROKE, *_BLEEDING, *_CONSCIOUSNESS, *_ALLERGY)),
    )
)
