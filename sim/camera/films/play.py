"""A script becomes a match on film: strokes by physics, rulings by the referee, hands for all."""

from collections.abc import Sequence
from dataclasses import replace
from math import tau

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from carrom.errors import SchemaError
from carrom.events import Event
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from carrom.seats import Seat
from carrom.stroke_text import parse_stroke
from referee.clock import read_clock
from referee.match import Match
from referee.match_events import (
    ClockStarted,
    FactsAdded,
    JankenWon,
    MatchStarted,
    NextBoard,
    NextGame,
    PlayResumed,
)
from referee.task import Decision, StrikeFrom, Task, next_task
from sim.camera.draw_of import chance, one_of
from sim.camera.films.between import declare, let_time_run_out
from sim.camera.films.choice import Intent, choose
from sim.camera.films.declared import add_choices
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.mishaps import lean_in, nudge_board, switch_lamp
from sim.camera.films.moves import Place
from sim.camera.films.returns import bring_missing, give_back, put_back_moved, set_up
from sim.camera.films.script import FilmScript
from sim.camera.films.seating import people_of, seats_of
from sim.camera.films.strategy import Table
from sim.camera.films.strokes import off_line, play_stroke
from sim.camera.films.tape import Person, Tape
from sim.camera.films.timeline import Interlude, StrokeTruth, Timeline
from sim.camera.films.wishes import Situation, Wishes
from sim.camera.films.world import World

__all__ = ["play"]

_WHILE_RETURNING = (IncidentKind.FELL_DURING_REPLACEMENT, IncidentKind.JACK_TOPPLED)
_JUDGED = (
    IncidentKind.TIME_EXCEEDED,
    IncidentKind.VIOLATION,
    IncidentKind.LEFT_SEAT,
    IncidentKind.STALEMATE,
)
_NAMES = ("Asha", "Bo", "Chie", "Dag")


def play(script: FilmScript, world: World | None = None) -> Timeline:
    """The match of a script, played in a room (default: nominal board); equal arguments
    give equal timelines.

    Raises ``CarromError`` for a script that names unknown rules, impossible strokes, or an
    incident that its rules do not know.
    """
    ruleset = script.laws().ruleset
    for wish in script.wishes:
        if not wish.kind.in_rules(ruleset):
            kinds = ", ".join(kind for kind in IncidentKind if kind.in_rules(ruleset))
            raise SchemaError("incident.kind", expected=f"one of {kinds}", got=wish.kind.value)
    if world is None:
        world = World(board_for(BoardFamily.HIKONE if ruleset.hikone else BoardFamily.ICF))
    return _Director(script, world).timeline()


class _Director:
    """Leads a match from stroke to stroke."""

    def __init__(self, script: FilmScript, world: World) -> None:
        self._script, self._world = script, world
        self._laws = script.laws()
        self._rng = np.random.default_rng((script.seed, 4711))
        self._people = people_of(script, self._laws, self._rng)
        seats = seats_of(script, self._laws)
        names = dict(zip(seats, _NAMES, strict=False))
        opener = one_of(self._rng, seats)
        start = MatchStarted(id="start", laws=self._laws, players=names, opener=opener)
        self._match = Match(start)
        self._layout = opening_position(world.board, float(self._rng.uniform(0, tau)))
        strikers = 2 if getattr(self._laws.options, "simultaneous_break", False) else 1
        kinds = (*(disc.kind for disc in self._layout), *[PieceKind.STRIKER] * strikers)
        places = [Place(disc.x_mm, disc.y_mm) for disc in self._layout]
        self._start = (*places, *[self._striker_start()] * strikers)
        self._tape = Tape(world, kinds, list(self._start), self._rng, script.pace)
        self._wishes = Wishes(script, self._rng)
        self._truths: list[StrokeTruth] = []
        self._interludes: list[Interlude] = []
        self._mishaps: set[IncidentKind] = set()
        self._ready_s = 0.0

    def _striker_start(self) -> Place:
        """In a hand, out of sight."""
        return Place(0.0, -self._world.away_mm[Seat.SOUTH], state=None)

    def timeline(self) -> Timeline:
        """Film until the length is reached or the match is over."""
        tape, script = self._tape, self._script
        tape.wait(0.5, 1.2)
        if script.clock:
            self._match.push(ClockStarted(id=self._match.new_id(), t_s=tape.t_s))
        going_on = True
        while going_on:
            self._tidy(self._task())
            self._ready_s, task = tape.t_s, self._task()
            if self._finished() and not self._must_close(task):
                break
            if task.decision is None:
                self._stroke(task)
            else:
                going_on = self._decide(task.decision)
        tape.wait(0.8, 1.2)
        return Timeline(
            script=script,
            board=self._world.board,
            kinds=tape.kinds,
            start=self._start,
            moves=tuple(map(tuple, tape.moves)),
            hands=tuple(tape.hands),
            phases=tuple(sorted(tape.phases, key=lambda phase: phase.t0_s)),
            strokes=tuple(self._truths),
            interludes=tuple(self._interludes),
            incidents=tuple(tape.incidents),
            lights=tuple(tape.lights),
            nudges=tuple(tape.nudges),
            duration_s=max([tape.t_s, *(track.t1_s for track in tape.hands)]),
            match=self._match,
        )

    def _task(self) -> Task:
        state, laws = self._match.state, self._laws
        return next_task(state, laws, read_clock(state, laws, self._tape.t_s))

    def _must_close(self, task: Task) -> bool:
        """A stuck board is brought to its end, however long the film is."""
        if task.decision is not None:
            return task.decision is Decision.JANKEN
        now = Situation(task, self._match.state, self._laws)
        return self._wishes.wants(IncidentKind.STALEMATE, now)

    def _finished(self) -> bool:
        """Long enough."""
        script = self._script
        if script.strokes is not None and len(self._truths) >= script.strokes:
            return True
        return script.seconds is not None and self._tape.t_s >= script.seconds

    def _tidy(self, task: Task) -> None:
        """What the ruling wants done at the table before play goes on."""
        state, tape = self._match.state, self._tape
        if task.restore_moved and self._truths:
            helper = self._opponent(self._truths[-1].stroke.seat)
            put_back_moved(tape, self._before, helper)
        if self._truths and task.decision is None:
            helper = self._opponent(self._truths[-1].stroke.seat)
            bring_missing(tape, state.on_board, task.returns, self._before, helper)
        if task.returns:
            tape.wait(0.4, 0.9)
            wrong = give_back(tape, task.returns, self._people, dict(state.seats), self._mishaps)
            for incident, fact in wrong:
                self._add_fact(incident, fact)
        self._mishaps.clear()

    def _add_fact(self, incident: Incident, fact: Event) -> None:
        """A fact that came after the ruling on its stroke, which is then judged anew."""
        match = self._match
        match.push(FactsAdded(id=match.new_id(), stroke=match.strokes[-1].id, facts=(fact,)))
        record, last = match.strokes[-1], self._truths[-1]
        self._truths[-1] = replace(
            last, outcome=record.outcome, ruling=record.ruling,
            incidents=(*last.incidents, incident),
        )  # fmt: skip
        self._wishes.happened([incident.kind])

    def _opponent(self, seat: Seat) -> Person:
        sides = self._match.state.seats
        others = [s for s in sides if sides[s] is not sides.get(seat)]
        return self._people[others[0]]

    def _stroke(self, task: Task) -> None:
        """One stroke, judged."""
        tape, state = self._tape, self._match.state
        number = len(self._truths) + 1
        asked = self._wishes.due(number, Situation(task, state, self._laws))
        if self._between([kind for kind in asked if not kind.of_a_stroke], task):
            return
        tape.wait(0.3, 1.6)
        tape.stroke = number
        assert task.striker is not None
        seat = task.striker
        if IncidentKind.WRONG_TURN in asked:
            seat = one_of(self._rng, [s for s in state.seats if s is not seat])
        intent = self._intent(number, seat, task, asked)
        self._before = list(tape.places)
        person = self._people[seat]
        done = play_stroke(
            tape, person, intent, asked, collect=chance(self._rng, 0.5),
            opponent=self._opponent(seat),
        )  # fmt: skip
        self._mishaps = {kind for kind in intent.made if kind in _WHILE_RETURNING}
        add_choices(tape, done, asked, self._match.state, self._laws, person)
        outcome = done.outcome()
        ruling = self._match.play(outcome)
        self._wishes.happened(incident.kind for incident in done.incidents)
        self._truths.append(
            StrokeTruth(
                number=number,
                stroke=done.stroke,
                outcome=outcome,
                ruling=ruling,
                trajectory=done.trajectory,
                t_place_s=done.t_place_s,
                t_start_s=done.t_start_s,
                t_end_s=done.t_end_s,
                t_hands_off_s=done.t_hands_off_s,
                incidents=tuple(done.incidents),
            )
        )

    def _intent(self, number: int, seat: Seat, task: Task, asked: Sequence[IncidentKind]) -> Intent:
        tape = self._tape
        table = Table(
            board=self._world.board,
            surface=self._world.friction,
            position=tape.position(),
            seat=seat,
            wanted=self._wanted(seat, task),
            tee=task.strike_from is StrikeFrom.TEE_SPOT,
            opening=task.break_attempt is not None,
        )
        forced = (self._script.forced or {}).get(number)
        if forced is not None:
            return Intent(parse_stroke(forced, self._world.board), table)
        skill = self._people[seat].skill
        queen = self._wishes.hunts_queen(task)
        intent = choose(table, asked, skill, self._rng, queen=queen)
        if IncidentKind.OFF_LINE not in asked:
            return intent
        moved = off_line(intent.stroke)
        radius = self._world.board.radii_mm[PieceKind.STRIKER]
        free = table.clear(*moved.placement_mm, radius)
        return Intent(moved if free else intent.stroke, table, intent.made)

    def _wanted(self, seat: Seat, task: Task) -> tuple[PieceKind, ...]:
        """The kinds that are good to pocket now."""
        state = self._match.state
        if self._laws.ruleset.three_players:
            return PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN
        own = state.seats[seat].piece
        if self._laws.ruleset.hikone:
            return (own,) if state.on_board.get(own, 0) else (PieceKind.JACK,)
        if task.must_cover or not state.pocketed.get(own, 0):
            return (own,)
        return own, PieceKind.QUEEN

    def _between(self, kinds: Sequence[IncidentKind], task: Task) -> bool:
        """Incidents between two strokes; True if the referee ruled on one."""
        for kind in kinds:
            if kind is IncidentKind.BOARD_NUDGE:
                nudge_board(self._tape)
            elif kind is IncidentKind.LAMP_SWITCH:
                switch_lamp(self._tape)
            elif kind is IncidentKind.LEAN_IN:
                lean_in(self._tape, one_of(self._rng, list(self._people.values())))
            else:
                self._interlude(kind, task)
            self._wishes.happened([kind])
        return any(kind in _JUDGED for kind in kinds)

    def _interlude(self, kind: IncidentKind, task: Task) -> None:
        """Something between two strokes that is judged."""
        tape, turn = self._tape, self._match.state.turn
        if kind is IncidentKind.TIME_EXCEEDED:
            assert task.stroke_limit_s is not None
            person, limit_s = self._people[turn], task.stroke_limit_s
            outcome, incident = let_time_run_out(tape, person, limit_s, self._ready_s)
        else:
            outcome, incident = declare(tape, kind, turn, self._opponent(turn).seat)
        ruling = self._match.play(outcome)
        self._interludes.append(
            Interlude(
                after_stroke=len(self._truths), outcome=outcome, ruling=ruling,
                incident=incident, shown=not kind.declared,
            )
        )  # fmt: skip

    def _decide(self, decision: Decision) -> bool:
        """What a person decides; False ends the film."""
        match, state = self._match, self._match.state
        seats = list(state.seats)
        if decision is Decision.MATCH_IS_OVER:
            return False
        if decision is Decision.JANKEN:
            match.push(JankenWon(id=match.new_id(), seat=one_of(self._rng, seats)))
            return True
        if decision is Decision.UMPIRE:
            match.push(PlayResumed(id=match.new_id(), seat=state.turn))
            return True
        opener = None
        if decision is Decision.TOSS_FOR_EXTRA_BOARD:
            opener = one_of(self._rng, seats)
        if decision is Decision.NEXT_GAME:
            match.push(NextGame(id=match.new_id(), opener=opener))
        else:
            match.push(NextBoard(id=match.new_id(), opener=opener))
        self._tape.wait(1.0, 2.0)
        set_up(self._tape, self._layout, tuple(self._people[seat] for seat in seats[:2]))
        return True
