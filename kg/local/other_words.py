"""Words of which names use one or the other for the same thing: folded, most in both directions.

Organs and their adjectives, kinds of illness, medicines that English-speaking countries call by
different names, and chemical signs. Nothing is listed that narrows or widens what is meant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from kg.text import fold

__all__ = ["DRUG_CLASSES", "FORMULAS", "SALTS", "SAME_NAMES", "SAME_WORDS"]

# Within a longer name one may stand for the other: "renal failure", "kidney failure".
_WORDS = """
renal kidney, hepatic liver, cardiac heart, pulmonary lung, gastric stomach, cutaneous skin,
dermal skin, ocular eye, cerebral brain, ovarian ovary, uterine uterus, pancreatic pancreas,
prostatic prostate, mammary breast, intestinal intestine, colonic colon, testicular testis,
splenic spleen, muscular muscle, nasal nose, vesical bladder, esophageal esophagus,
laryngeal larynx, bronchial bronchus, arterial artery, venous vein, spinal spine,
cancer neoplasm, tumor neoplasm, failure insufficiency, hemorrhage bleeding,
disorder disease, injury damage, infarct infarction, stone calculus, poisoning intoxication,
hypersensitivity allergy, calcification calcinosis
"""
# Whole names: the British or international one, then the American or common one.
_NAMES = """
paracetamol: acetaminophen, adrenaline: epinephrine, noradrenaline: norepinephrine,
salbutamol: albuterol, lignocaine: lidocaine, frusemide: furosemide, pethidine: meperidine,
suxamethonium: succinylcholine, hyoscine: scopolamine, isoprenaline: isoproterenol,
orciprenaline: metaproterenol, glibenclamide: glyburide, rifampicin: rifampin,
ciclosporin: cyclosporine, cyclosporin: cyclosporine, cyclosporin a: cyclosporine,
cyclosporine a: cyclosporine, amoxycillin: amoxicillin, cefalexin: cephalexin,
benzylpenicillin: penicillin g, phenoxymethylpenicillin: penicillin v,
colecalciferol: cholecalciferol, vitamin d3: cholecalciferol, ergocalciferol: vitamin d2,
chlormethine: mechlorethamine, chlorphenamine: chlorpheniramine,
alimemazine: trimeprazine, benzhexol: trihexyphenidyl, mercaptamine: cysteamine,
dicycloverine: dicyclomine, ergometrine: ergonovine, folinic acid: leucovorin,
glyceryl trinitrate: nitroglycerin, metamizole: dipyrone, metamizol: dipyrone,
pizotifen: pizotyline, stilboestrol: diethylstilbestrol, cromoglicic acid: cromolyn,
sodium cromoglycate: cromolyn sodium, amethocaine: tetracaine,
bendrofluazide: bendroflumethiazide, levothyroxine: thyroxine, liothyronine: triiodothyronine,
desferrioxamine: deferoxamine, acetylsalicylic acid: aspirin, aciclovir: acyclovir,
beclometasone: beclomethasone, dexamphetamine: dextroamphetamine,
dexamfetamine: dextroamphetamine, amfetamine: amphetamine, metamfetamine: methamphetamine,
indometacin: indomethacin, eformoterol: formoterol, mitozantrone: mitoxantrone,
mesalazine: mesalamine, torasemide: torsemide, clomifene: clomiphene, busulphan: busulfan,
chlortalidone: chlorthalidone, colestyramine: cholestyramine, lisuride: lysuride,
dosulepin: dothiepin, cortisol: hydrocortisone, prostacyclin: epoprostenol,
sodium valproate: valproic acid, thiopentone: thiopental, phenobarbitone: phenobarbital,
pentobarbitone: pentobarbital, amylobarbitone: amobarbital, vitamin b1: thiamine,
vitamin b2: riboflavin, vitamin b6: pyridoxine, vitamin b12: cyanocobalamin,
vitamin b12: vitamin b 12, vitamin c: ascorbic acid, vitamin k1: phytonadione,
prostaglandin e1: alprostadil, prostaglandin e2: dinoprostone, serotonin: 5 hydroxytryptamine,
urofollitropin: follicle stimulating hormone, ecstasy: mdma, tumor: neoplasm,
convulsion: seizure, overdose: drug overdose
"""
# As they are written: case counts.
FORMULAS: Mapping[str, str] = {
    "Na": "sodium", "K": "potassium", "Ca": "calcium", "Mg": "magnesium", "Li": "lithium",
    "Fe": "iron", "Zn": "zinc", "Cu": "copper", "Pb": "lead", "Hg": "mercury", "Cd": "cadmium",
    "As": "arsenic", "Al": "aluminum", "Se": "selenium", "Mn": "manganese", "Cr": "chromium",
    "Au": "gold", "Ag": "silver", "Pt": "platinum", "NO": "nitric oxide", "CO": "carbon monoxide",
    "CO2": "carbon dioxide", "O2": "oxygen", "H2O": "water", "H2O2": "hydrogen peroxide",
    "NaCl": "sodium chloride", "KCl": "potassium chloride", "CaCl2": "calcium chloride",
    "CaCl(2)": "calcium chloride", "N2O": "nitrous oxide", "H2S": "hydrogen sulfide",
    "Ca2+": "calcium", "Ca(2+)": "calcium", "Na+": "sodium", "K+": "potassium", "Mg2+": "magnesium",
}  # fmt: skip
# Words after a medicine's name that say in which salt it comes.
SALTS = frozenset(
    fold(word)
    for word in "sodium potassium calcium hydrochloride hcl hydrobromide sulfate maleate acetate "
    "phosphate tartrate citrate succinate fumarate mesylate besylate chloride bromide nitrate "
    "gluconate lactate pamoate dihydrate monohydrate".split()
)
# They end like adjectives of an illness or state, and are medicines.
DRUG_CLASSES = frozenset(
    "analgesic anesthetic diuretic emetic hypnotic narcotic cathartic cosmetic prokinetic".split()
)


def _both_ways(pairs: str, separator: str) -> Mapping[str, tuple[str, ...]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs.replace("\n", " ").split(","):
        one, other = (fold(side) for side in pair.strip().split(separator, 1))
        found[one].add(other)
        found[other].add(one)
    return {word: tuple(sorted(others)) for word, others in found.items()}


SAME_WORDS = _both_ways(_WORDS, " ")
SAME_NAMES = _both_ways(_NAMES, ":")
