"""Which stroke to try next: legal, worth it under the laws in force, with an honest chance."""

from sim.advisor.effort import FULL, QUICK, Effort
from sim.advisor.situation import QueenSays, Situation, situation_of
from sim.advisor.skill import CASUAL, CLUB, IIT_BOMBAY, STRONG, Level, Skill, skill_of
from sim.advisor.suggestion import Advice, Chance, Refusal, ShotKind, Stage, Suggestion
from sim.advisor.thinking import advise, thoughts

__all__ = [
    "CASUAL",
    "CLUB",
    "FULL",
    "IIT_BOMBAY",
    "QUICK",
    "STRONG",
    "Advice",
    "Chance",
    "Effort",
    "Level",
    "QueenSays",
    "Refusal",
    "ShotKind",
    "Situation",
    "Skill",
    "Stage",
    "Suggestion",
    "advise",
    "situation_of",
    "skill_of",
    "thoughts",
]
