"""Counts bind the names of discs together; the naming must be the best one, not a greedy one."""

from itertools import permutations

import numpy as np
import pytest

from vision.counting import assign, cheapest, within


@pytest.mark.parametrize("seed", range(30))
def test_cheapest_agrees_with_trying_everything(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    cost = rng.normal(size=(n, n + int(rng.integers(0, 3))))
    chosen = cheapest(cost)
    assert len(set(chosen.tolist())) == n
    least = min(cost[np.arange(n), list(p)].sum() for p in permutations(range(cost.shape[1]), n))
    assert cost[np.arange(n), chosen].sum() == pytest.approx(least)


def test_a_second_queen_becomes_what_is_likeliest_next():
    odds = np.array([[0.1, 0.2, 0.7], [0.02, 0.03, 0.95], [0.9, 0.05, 0.05]])
    assert assign(odds, np.array([9, 9, 1]), np.ones(3)).tolist() == [1, 2, 0]


def test_the_disc_least_likely_to_be_there_is_left_over():
    odds = np.array([[1.0], [1.0], [1.0]])
    chosen = assign(odds, np.array([2]), np.array([0.9, 0.6, 0.99]))
    assert chosen.tolist() == [0, -1, 0]


def test_crowded_kinds_lose_chances_to_others():
    odds = np.tile([0.6, 0.4], (4, 1))
    bound = within(odds, np.array([1, 9]), np.ones(len(odds)))
    assert bound[:, 0].sum() == pytest.approx(1.0, abs=0.01)
    assert np.allclose(bound.sum(axis=1), 1.0)


def test_no_discs():
    assert assign(np.zeros((0, 3)), np.array([1, 1, 1]), np.zeros(0)).shape == (0,)


def test_a_set_with_no_disc_left_names_none():
    chosen = assign(np.full((2, 3), 1 / 3), np.zeros(3, dtype=np.int64), np.ones(2))
    assert chosen.tolist() == [-1, -1]
