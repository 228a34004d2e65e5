"""RDF of any syntax."""
