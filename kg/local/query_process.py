"""The process that runs one SPARQL query for kg.local.query: job on standard input, result out.

Exit codes: 0 the result is on standard output, 3 the query cannot be read (reason on standard
error), anything else is a failure while running.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pyoxigraph import NamedNode, QueryBoolean, QueryResultsFormat, QuerySolutions, RdfFormat, Store

__all__ = ["main"]

BAD_QUERY = 3


def main() -> int:
    """Read the job, run it, write the result."""
    job = json.load(sys.stdin)
    store = Store.read_only(job["store"])
    graphs: list[Any] = [NamedNode(iri) for iri in job["graphs"]]
    try:
        result = store.query(job["query"], default_graph=graphs, named_graphs=graphs)
    except SyntaxError as error:
        line = str(error).splitlines()[0]
        print(line if len(line) <= 160 else f"{line[:159]}…", file=sys.stderr)
        return BAD_QUERY
    if isinstance(result, QuerySolutions | QueryBoolean):
        result.serialize(sys.stdout.buffer, QueryResultsFormat.JSON)
    else:
        result.serialize(sys.stdout.buffer, RdfFormat.N_TRIPLES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
