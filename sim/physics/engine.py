"""The event loop: one stroke from launch to rest, and many of them in a row.

Arrays are those of ``sim.physics.arrays`` and ``sim.physics.state``; kernels trust them.
"""

import math

import numpy as np

from sim.physics.arrays import (
    S_GRAVITY,
    S_LIP,
    ByteArray,
    FloatArray,
    IntArray,
)
from sim.physics.kernel import Entry, inner
from sim.physics.predict import predict_own, predict_pairs
from sim.physics.resolve import (
    advance,
    frame_region,
    meet_frame,
    resolve_contact,
    stays_over,
    take_off,
)
from sim.physics.roots import NEVER
from sim.physics.state import (
    DISC_COLUMNS,
    F_CAPPED,
    F_CONTACTS,
    F_EVENTS,
    F_FIRST,
    F_FRAMES_BEFORE,
    F_LOGGED,
    F_RATTLED,
    F_STRUCK,
    L_DISC,
    L_KIND,
    L_OTHER,
    L_SPEED,
    L_SPIN,
    L_T,
    L_UX,
    L_UY,
    L_X,
    L_Y,
    LIGHTNESS,
    LOG_CONTACT,
    LOG_FRAME,
    LOG_LAUNCH,
    LOG_LIP_IN,
    LOG_LIP_OUT,
    LOG_OFF,
    LOG_POCKET,
    LOG_STOP,
    MARK_COLUMNS,
    OFF_BOARD,
    ON,
    ON_BOARD,
    OVER,
    OWN,
    OWN_ARC,
    OWN_LIP_IN,
    OWN_LIP_OUT,
    OWN_STOP,
    PARTNER,
    RADIUS,
    SLOWING,
    SPEED,
    SPIN,
    T0,
    T_OWN,
    T_PAIR,
    UX,
    UY,
    X,
    Y,
)

__all__ = ["run_many"]


@inner
def _log(
    log: FloatArray, facts: IntArray, discs: FloatArray, i: int, kind: int, other: int
) -> None:
    """Append the state of disc ``i`` after an event; rows beyond the log's end are only counted."""
    if log.shape[0] == 0:
        return
    row = facts[F_LOGGED]
    facts[F_LOGGED] += 1
    if row < log.shape[0]:
        log[row, L_T], log[row, L_KIND] = discs[i, T0], kind
        log[row, L_DISC], log[row, L_OTHER] = i, other
        log[row, L_X], log[row, L_Y] = discs[i, X], discs[i, Y]
        log[row, L_UX], log[row, L_UY] = discs[i, UX], discs[i, UY]
        log[row, L_SPEED], log[row, L_SPIN] = discs[i, SPEED], discs[i, SPIN]


@inner
def _launch(
    discs: FloatArray,
    marks: IntArray,
    meets: FloatArray,
    men: FloatArray,
    stroke: FloatArray,
    surface: FloatArray,
    friction_class: IntArray,
) -> None:
    """Set the table: men at rest, the striker (last) as ``stroke`` (x, y, angle, speed) says."""
    n = discs.shape[0]
    for i in range(n):
        discs[i, SPEED], discs[i, UX], discs[i, UY] = 0.0, 1.0, 0.0
        discs[i, SLOWING] = surface[friction_class[i]] * surface[S_GRAVITY]
        discs[i, T0], discs[i, SPIN] = 0.0, 0.0
        discs[i, T_OWN], discs[i, T_PAIR] = NEVER, NEVER
        marks[i, ON], marks[i, OVER], marks[i, OWN], marks[i, PARTNER] = 1, -1, 0, -1
        for j in range(n):
            meets[i, j] = NEVER
        if i < n - 1:
            discs[i, X], discs[i, Y] = men[i, 0], men[i, 1]
    last = n - 1
    discs[last, X], discs[last, Y] = stroke[0], stroke[1]
    discs[last, UX], discs[last, UY] = math.cos(stroke[2]), math.sin(stroke[2])
    discs[last, SPEED] = stroke[3]


@inner
def _next(discs: FloatArray) -> tuple[float, int, bool]:
    """Time and disc of the next event, and whether it is a contact; disc -1 = all at rest."""
    when_s, who, is_pair = NEVER, -1, False
    for i in range(discs.shape[0]):
        if discs[i, T_OWN] < when_s:
            when_s, who, is_pair = discs[i, T_OWN], i, False
        if discs[i, T_PAIR] < when_s:
            when_s, who, is_pair = discs[i, T_PAIR], i, True
    return when_s, who, is_pair


@inner
def _fall(
    discs: FloatArray,
    marks: IntArray,
    i: int,
    hole: int,
    pocket: ByteArray,
    t_gone_s: FloatArray,
    facts: IntArray,
    log: FloatArray,
) -> None:
    """Disc ``i`` is gone: into pocket 0..3, or over the frame (``OFF_BOARD``)."""
    take_off(discs, marks, i)
    pocket[i] = hole
    t_gone_s[i] = discs[i, T0]
    _log(log, facts, discs, i, LOG_OFF if hole == OFF_BOARD else LOG_POCKET, hole)


@inner
def _own_event(
    discs: FloatArray,
    marks: IntArray,
    i: int,
    geometry: FloatArray,
    surface: FloatArray,
    pocket: ByteArray,
    t_gone_s: FloatArray,
    facts: IntArray,
    log: FloatArray,
) -> None:
    """Disc ``i``, alone, stops, meets the frame or crosses a lip."""
    own, hole = marks[i, OWN] % 8, marks[i, OWN] // 8
    if own == OWN_STOP:
        discs[i, SPEED], discs[i, SPIN] = 0.0, 0.0
        _log(log, facts, discs, i, LOG_STOP, -1)
    elif own <= OWN_ARC:
        stays = meet_frame(discs, i, own, geometry, surface)
        region = frame_region(discs[i, X], discs[i, Y], geometry)
        _log(log, facts, discs, i, LOG_FRAME, region // 3)
        if i == discs.shape[0] - 1 and facts[F_FIRST] < 0:
            facts[F_FRAMES_BEFORE] |= 1 << region
        if not stays:
            _fall(discs, marks, i, OFF_BOARD, pocket, t_gone_s, facts, log)
            return
    elif own == OWN_LIP_IN:
        marks[i, OVER] = hole
        if stays_over(discs, marks, i, surface):
            _log(log, facts, discs, i, LOG_LIP_IN, hole)
    elif own == OWN_LIP_OUT:
        marks[i, OVER] = -1
        discs[i, SPEED] *= surface[S_LIP]
        facts[F_RATTLED] |= 1 << i
        _log(log, facts, discs, i, LOG_LIP_OUT, hole)
    if not stays_over(discs, marks, i, surface):
        _fall(discs, marks, i, marks[i, OVER], pocket, t_gone_s, facts, log)


@inner
def _contact(
    discs: FloatArray,
    marks: IntArray,
    i: int,
    j: int,
    surface: FloatArray,
    pocket: ByteArray,
    t_gone_s: FloatArray,
    facts: IntArray,
    log: FloatArray,
) -> None:
    """Discs ``i`` < ``j`` meet; over a pocket they may fall at once."""
    resolve_contact(discs, i, j, surface)
    facts[F_CONTACTS] += 1
    if j == discs.shape[0] - 1:
        facts[F_STRUCK] |= 1 << i
        if facts[F_FIRST] < 0:
            facts[F_FIRST] = i
    _log(log, facts, discs, i, LOG_CONTACT, j)
    _log(log, facts, discs, j, LOG_CONTACT, i)
    if not stays_over(discs, marks, i, surface):
        _fall(discs, marks, i, marks[i, OVER], pocket, t_gone_s, facts, log)
    if not stays_over(discs, marks, j, surface):
        _fall(discs, marks, j, marks[j, OVER], pocket, t_gone_s, facts, log)


@inner
def _simulate(
    discs: FloatArray,
    marks: IntArray,
    meets: FloatArray,
    geometry: FloatArray,
    surface: FloatArray,
    pocket: ByteArray,
    t_gone_s: FloatArray,
    facts: IntArray,
    log: FloatArray,
    most_events: int,
    most_s: float,
) -> float:
    """Run a launched stroke to rest, or to a cap (flagged). Returns the time of the last event."""
    for k in range(facts.shape[0]):
        facts[k] = 0
    facts[F_FIRST] = -1
    pocket[:] = ON_BOARD
    t_gone_s[:] = math.inf
    now_s = 0.0
    a, b = discs.shape[0] - 1, -1
    _log(log, facts, discs, a, LOG_LAUNCH, -1)
    while True:
        predict_own(discs, marks, a, now_s, geometry)
        if b >= 0:
            predict_own(discs, marks, b, now_s, geometry)
            predict_pairs(discs, marks, meets, b, now_s)
        predict_pairs(discs, marks, meets, a, now_s)
        when_s, a, is_pair = _next(discs)
        if a < 0:
            break
        if when_s > most_s or facts[F_EVENTS] >= most_events:
            facts[F_CAPPED] = 1
            now_s = min(when_s, most_s) if facts[F_EVENTS] < most_events else now_s
            break
        facts[F_EVENTS] += 1
        now_s = when_s
        advance(discs, a, now_s)
        if is_pair:
            b = marks[a, PARTNER]
            advance(discs, b, now_s)
            low, high = min(a, b), max(a, b)
            _contact(discs, marks, low, high, surface, pocket, t_gone_s, facts, log)
        else:
            b = -1
            _own_event(discs, marks, a, geometry, surface, pocket, t_gone_s, facts, log)
    for i in range(discs.shape[0]):
        advance(discs, i, now_s)
    return now_s


def _run_many(
    men_mm: FloatArray,
    strokes: FloatArray,
    radius_mm: FloatArray,
    mass_g: FloatArray,
    friction_class: IntArray,
    geometry: FloatArray,
    surfaces: FloatArray,
    low: int,
    high: int,
    xy_mm: FloatArray,
    pocket: ByteArray,
    t_gone_s: FloatArray,
    facts: IntArray,
    duration_s: FloatArray,
    log: FloatArray,
    most_events: int,
    most_s: float,
) -> None:
    """Simulate the strokes [low, high), striker last; see ``sim.physics.batch`` for the arrays.

    ``men_mm`` (1 or S, n - 1, 2) and ``surfaces`` (1 or S, 13): shared, or one for each stroke.
    ``log``: (rows, 10) for one stroke, or of no rows: then nothing is logged. F_LOGGED may exceed
    it: then it was too short.
    """
    n = radius_mm.shape[0]
    discs = np.empty((n, DISC_COLUMNS))
    marks = np.empty((n, MARK_COLUMNS), np.int64)
    meets = np.empty((n, n))
    for i in range(n):
        discs[i, RADIUS] = radius_mm[i]
        discs[i, LIGHTNESS] = 1.0 / mass_g[i]
    for q in range(low, high):
        men = men_mm[q if men_mm.shape[0] > 1 else 0]
        surface = surfaces[q if surfaces.shape[0] > 1 else 0]
        _launch(discs, marks, meets, men, strokes[q], surface, friction_class)
        duration_s[q] = _simulate(
            discs,
            marks,
            meets,
            geometry,
            surface,
            pocket[q],
            t_gone_s[q],
            facts[q],
            log,
            most_events,
            most_s,
        )
        for i in range(n):
            xy_mm[q, i, 0] = discs[i, X]
            xy_mm[q, i, 1] = discs[i, Y]


run_many = Entry(_run_many)
