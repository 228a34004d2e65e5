"""The words by which relations and questions name each aspect, in English and Chinese."""

from __future__ import annotations

__all__ = ["ASPECT_WORDS"]

# aspect → (words in a relation's label, words in a question); a phrase matches whole words.
ASPECT_WORDS: dict[str, tuple[str, str]] = {
    # no words in a question: it asks for this by naming people (kg.populations)
    "population": (
        "use in pregnancy, use in breast feeding, use in childhood, pregnancy category,"
        "孕期用药, 妊娠期用药, 哺乳期用药, 孕妇用药, 儿童用药, 老年用药, 老年人用药, 特殊人群",
        "",
    ),
    "regulation": (
        "regulatory status, approval status, withdrawn, 上市状态, 批准状态, 撤市",
        "withdrawn, recalled, banned, off the market, taken off, still sold, still on the market,"
        "discontinued, regulatory status, 撤市, 退市, 召回, 禁售, 停售, 停产, 下架, 还在卖",
    ),
    "contraindication": (
        "contraindicated, contraindication, 禁忌, 禁用, 禁服, 忌用",
        "contraindicated, contraindication, contraindications, should not take, avoid taking,"
        "who should not, safe, unsafe, safely, allowed to take, 禁忌, 禁用, 忌用, 不能吃, 不能用,"
        "慎用, 能吃吗, 能用吗, 安全吗, 能不能吃, 能不能用",
    ),
    "interaction": (
        "interacts, interaction, 相互作用",
        "interact, interacts, interaction, interactions, take together, combine with,"
        "相互作用, 一起吃, 同服, 合用",
    ),
    "side-effect": (
        "side effect, adverse effect, adverse reaction, adverse event, 副作用, 副反应, 不良反应,"
        "不良事件",
        "side effect, side effects, side affects, side-affects, adverse, adverse effect,"
        "adverse effects, adverse reaction, adverse reactions, 副作用, 不良反应",
    ),
    "non-indication": (
        "not indicated, does not treat, not a treatment, 不用于治疗, 非适应症",
        "not indicated, does not treat, not a treatment, 不用于治疗, 非适应症",
    ),
    "absence": (
        "does not have, absent, excluded, excludes, not present, is not finding of, 未见, 无此",
        "absent, not found in, not seen in, excluded, 未见",
    ),
    "red-flag": (
        "red flag, warning sign, alarm, 危险信号, 警示",
        "red flag, red flags, warning sign, warning signs, danger sign, danger signs,"
        "when to see a doctor, when should i see, dangerous, 危险信号, 警示, 何时就医,"
        "什么时候就医",
    ),
    "prevention": (
        "prevent, prevents, prevention, prevented, prophylaxis, 预防",
        "prevent, prevents, prevented, prevention, prophylaxis, prophylactic, avoid getting, 预防",
    ),
    "treatment": (
        "treats, treat, treated, treatment, therapy, therapeutic, indication, indicated, relieves,"
        "palliates, medication, drug used, accepted use, chemotherapy, 治疗, 药物, 用药, 缓解,"
        "主治, 适应症, 适应证, 疗法, 化疗, 放疗, 手术",
        "treat, treats, treated, treating, treatment, treatments, therapy, therapies, cure, cures,"
        "cured, curable, remedy, remedies, relieve, relieves, relief, manage, managed, management,"
        "help with, helps with, what helps, good for, take for, taken for, given for, used for,"
        "used to treat, uses of, indicated for, indications,"
        "治疗, 怎么治, 如何治, 怎样治, 治法, 能治, 治好, 治什么, 主治, 疗法, 缓解, 怎么办,"
        "用于什么, 适应症",
    ),
    # before symptoms: the site of a finding is a place
    "anatomy": (
        "location, located, localizes, site, affects, anatomy, body part, part of, has part, 部位,"
        "累及, 解剖",
        "where in the body, body part, organ, organs, located, affect, affects, part of the body,"
        "部位, 器官, 累及, 哪里",
    ),
    "symptom": (
        "symptom, sign, phenotype, finding, manifestation, presents, clinical feature, 症状, 体征,"
        "表现, 表型",
        "symptom, symptoms, sign, signs, phenotype, phenotypes, feature, features, manifestation,"
        "manifestations, finding, findings, present, presents, presentation, feel, feels,"
        "look like, 症状, 体征, 表现, 表型, 征兆, 特征, 什么感觉",
    ),
    "risk-factor": (
        "risk factor, risk, predisposes, predisposing, 危险因素, 高危, 易感, 诱因, 诱发",
        "risk, risks, risk factor, risk factors, predispose, predisposes, likely to get, trigger,"
        "triggers, who gets, 危险因素, 高危, 易感, 易患, 诱因, 诱发",
    ),
    "complication": (
        "complication, complicated by, leads to, 并发症, 并发",
        "complication, complications, lead to, leads to, consequence, consequences, 并发症, 后果",
    ),
    "cause": (
        "cause, causes, caused, causative, induces, induced, etiology, aetiology, material basis,"
        "pathogen, due to, 病因, 原因, 引起, 导致, 病原, 致病",
        "cause, causes, caused, causing, etiology, aetiology, reason, reasons, why, due to,"
        "病因, 原因, 为什么, 为何, 引起, 导致, 怎么得的, 怎么引起",
    ),
    "diagnosis": (
        "diagnose, diagnosis, diagnosed, diagnoses, test, examination, screening, 诊断, 检查, 化验,"
        "检验, 筛查",
        "diagnose, diagnosed, diagnosis, test, tests, testing, screening, examination, scan,"
        "诊断, 检查, 化验, 筛查, 确诊, 怎么查",
    ),
    "department": (
        "department, seen by, specialty, 科室, 就诊",
        "department, specialist, which doctor, what doctor, what kind of doctor, see a doctor for,"
        "科室, 挂什么科, 挂哪个科, 挂号, 什么科, 哪个科, 看哪科",
    ),
    "inheritance": (
        "inheritance, inherited, gene, genetic, 遗传, 基因",
        "inherited, inherit, inheritance, genetic, gene, genes, hereditary, runs in families,"
        "dominant, recessive, x-linked,"
        "遗传, 基因",
    ),
    "epidemiology": (
        "prevalence, incidence, onset, occurrence, epidemiology, 发病率, 患病率,"
        "发病, 流行, 多发, 好发",
        "how common, how many people, how rare, prevalence, incidence, onset, how often,"
        "epidemiology, at what age,"
        "多常见, 发病率, 患病率, 几岁, 流行病学",
    ),
    "dose": (
        "dose, dosage, 剂量, 用量, 用法, 剂型, 规格",
        "dose, doses, dosage, how much, how many tablets, how many pills, per day, a day,"
        "剂量, 用量, 用法, 吃多少, 一天几次",
    ),
    "prognosis": (
        "prognosis, clinical course, outcome, survival, 预后, 转归",
        "prognosis, outlook, survival, life expectancy, outcome, 预后, 能活多久, 治愈率",
    ),
    "classification": (
        "is a, isa, subclass, sub class of, type of, kind of, kinds, broader, narrower, category,"
        "member of, includes, 属于, 分类, 类型, 种类, 类别, 上位",
        "type of, types of, kinds of, kind of, classified, classification, subtypes, forms of,"
        "哪些类型, 分类, 类型, 分型, 属于",
    ),
    "composition": (
        "ingredient, component, composed of, consists of, contains, 成份, 成分, 组成, 含有",
        "ingredient, ingredients, composition, composed of, made of, contain, contains, 成份, 成分,"
        "配方, 由什么组成, 含有什么, 含有哪些",
    ),
    "precaution": (
        "precaution, precautions, warning, warnings, 注意事项",
        "precaution, precautions, 注意事项, 注意什么, 注意哪些",
    ),
    "storage": (
        "storage condition, storage conditions, stored, 贮藏, 储存, 保存",
        "be stored, be kept, how to store, should i store, 怎么保存, 如何保存, 怎么储存, 如何储存,"
        "贮藏方法, 储存条件, 存放",
    ),
    "name": (
        "trade name, tradename, brand name, generic name, alternative name, also known as,"
        "商品名, 通用名, 别名, 英文名",
        "trade name, trade names, brand name, brand names, generic name, generic names,"
        "other names, also called, also known as, 商品名, 通用名, 别名, 别称, 又名, 又叫, 品牌",
    ),
    "transmission": (
        "transmitted, transmission, vector, 传播, 传染",
        "transmitted, transmission, how does it spread, spread by, transmits, contagious,"
        "传播, 传染途径, 会传染, 传染吗, 传染性",
    ),
    "definition": (
        "definition, description, 定义, 描述",
        "what is, what are, define, definition, meaning, explain,是什么, 什么是, 定义, 何谓, 是啥",
    ),
}
