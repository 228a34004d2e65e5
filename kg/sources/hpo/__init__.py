"""The Human Phenotype Ontology."""
