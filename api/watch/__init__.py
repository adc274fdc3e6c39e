"""A source followed from its first frame to its score sheet: `carrom watch`."""
