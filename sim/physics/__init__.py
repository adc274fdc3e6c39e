"""How discs move: the event-driven engine, its parameters, and what it reports."""

from sim.physics.arrays import Table
from sim.physics.batch import Batch, batch_table, simulate_batch
from sim.physics.break_book import Rack, break_statistics
from sim.physics.declumping import declump, jittered, scatter_men
from sim.physics.fit import fit_surface
from sim.physics.fit_data import FittedSurface, RecordedStroke
from sim.physics.simulation import simulate
from sim.physics.surface import (
    HIKONE_SURFACE,
    ICF_SURFACE,
    SURFACE_PRIORS,
    SurfaceParams,
    surface_for,
)
from sim.physics.surface_toml import load_surface, save_surface
from sim.physics.trajectory import ImpactEvent, ImpactKind, Segment, Trajectory
from sim.physics.warming import warm_up

__all__ = [
    "HIKONE_SURFACE",
    "ICF_SURFACE",
    "SURFACE_PRIORS",
    "Batch",
    "FittedSurface",
    "ImpactEvent",
    "ImpactKind",
    "Rack",
    "RecordedStroke",
    "Segment",
    "SurfaceParams",
    "Table",
    "Trajectory",
    "batch_table",
    "break_statistics",
    "declump",
    "fit_surface",
    "jittered",
    "load_surface",
    "save_surface",
    "scatter_men",
    "simulate",
    "simulate_batch",
    "surface_for",
    "warm_up",
]
