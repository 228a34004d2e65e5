"""Whatever stands in the files of UMLS or Hetionet, an import ends, or is refused in one line."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import KgError
from kg.sources.hetionet import HetionetImporter
from kg.sources.statements import Importer, ImportOptions
from kg.sources.umls.importer import UmlsImporter

# A sound row of each table; of each row that is written some columns are replaced.
SOUND = {
    "MRCONSO": "C0000001|ENG|P|L|PF|S|Y|A||||MSH|MH|D000001|name|0|N||",
    "MRREL": "C0000001|A|AUI|RO|C0000002|A|AUI|may_treat|R||MSH|MSH|||N||",
    "MRDEF": "C0000001|A|AT||MSH|text|N||",
    "MRSTY": "C0000001|T047|B2|Disease or Syndrome|AT||",
    "MRSAT": "C0000001|L|S|A|AUI|C|AT||ENTREZGENE_ID|HGNC|1|N||",
    "MRCUI": "C0000003|2001AA|SY|||C0000001|Y|",
    "MRRANK": "0001|MSH|MH|N|",
    "MRDOC": "RELA|x_of|rela_inverse|has_x|",
}
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0|\n")
WORDS = (
    "C0000001 C0000002 CL123456 C1 C٠٠٠٠٠٠١ ENG CHI zz P Y N O HPO HP:0000001 PT T121 T999 CHD PAR "
    "SY SIB isa inverse_isa has_x x_of may_be_treated_by associated_with RELEASE ² | \r"
).split(" ")
FIELDS = st.sampled_from(["", *WORDS]) | st.text(CHARACTERS, max_size=6)
NODES = st.sampled_from(["Gene::1", "Gene::2", "Disease::DOID:1", "Compound::DB00001", "Gene::x"])
KINDS = st.sampled_from(["Gene", "Disease", "Compound", "GiG", "CtD", "DaG", "Gr>G", "id", "kind"])


@st.composite
def tables(draw: st.DrawFn, name: str) -> bytes:
    """A table with sound and broken rows; now and then packed, or cut, or with any bytes."""
    lines = [SOUND[name], SOUND[name].replace("C0000001", "C0000002")]
    for changes in draw(st.lists(st.dictionaries(st.integers(0, 20), FIELDS, max_size=3))):
        fields = SOUND[name].split("|")
        for column, field in changes.items():
            fields[column % len(fields)] = field
        lines.append("|".join(fields))
    content = "\n".join(draw(st.permutations(lines))).encode()
    kind = draw(st.integers(0, 19))
    if kind == 0:
        return gzip.compress(content)
    if kind == 1:
        return gzip.compress(content)[: draw(st.integers(0, 60))]
    return content + draw(st.binary(max_size=9)) if kind == 2 else content


def ends_well(importer: Importer) -> None:
    try:
        for statement in importer.statements(lambda *_: None):
            str(statement)
    except KgError as error:
        assert "\n" not in error.user_message


# The deadline is for wrong answers that take for ever; a slow machine is none.
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(
    content=st.fixed_dictionaries({name: tables(name) for name in SOUND}),
    suppressed=st.booleans(),
    languages=st.sampled_from([(), ("ENG",), ("zh", "xx-!")]),
)
def test_any_bytes_in_the_tables_of_umls(
    content: dict[str, bytes], suppressed: bool, languages: tuple[str, ...]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in content.items():
            Path(folder, f"{name}.RRF").write_bytes(data)
        options = ImportOptions(suppressed=suppressed, languages=languages)
        ends_well(UmlsImporter([Path(folder)], options))


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_bytes_in_the_files_of_hetionet(data: st.DataObject) -> None:
    sound = [b"Gene::1\tA\tGene", b"Gene::2\tB\tGene"]
    row = st.tuples(NODES | st.text(CHARACTERS, max_size=4), NODES | KINDS, NODES | KINDS)
    line = row.map("\t".join).map(str.encode)
    text = st.lists(line, max_size=10).map(sound.__add__).map(b"\n".join)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "hetionet-v1.0-nodes.tsv").write_bytes(data.draw(text))
        Path(folder, "hetionet-v1.0-edges.sif").write_bytes(data.draw(text | st.binary()))
        ends_well(HetionetImporter([Path(folder)]))
