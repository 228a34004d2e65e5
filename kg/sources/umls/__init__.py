"""The UMLS Metathesaurus, in its Rich Release Format."""
