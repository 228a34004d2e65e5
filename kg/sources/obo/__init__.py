"""OBO ontologies."""
