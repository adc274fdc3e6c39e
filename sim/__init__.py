"""Simulation: how discs move, which stroke to try, what a camera would see."""
