"""The strategies: each finds the evidence for one question, whatever the graph."""
