"""Tables, by mapping files."""
