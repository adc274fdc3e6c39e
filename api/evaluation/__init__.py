"""How well the whole chain does, measured on films whose truth is known."""
