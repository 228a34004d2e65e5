"""CMeKG, a Chinese medical graph."""
