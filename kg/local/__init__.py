"""The local graph: an Oxigraph store in generations, with indexes made from it."""

from kg.local.graph import LocalGraph

__all__ = ["LocalGraph"]
