"""Tournaments: balanced designs, payoffs as slow twins compute them, equal policies equal, the words."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.experiments.bands import all_pairs, simultaneous
from shanghai_sim.experiments.design import LEAST_BLOCKS, balanced_rounds, make_design
from shanghai_sim.experiments.entry import enter
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.experiments.standings import values_of
from shanghai_sim.experiments.tournament_words import finding, ranked, verdict
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.equilibrium import symmetric_equilibrium
from shanghai_sim.inference.intervals import mean_interval
from shanghai_sim.inference.metagame import MetaGame, compositions
from shanghai_sim.inference.multiplicity import max_t
from shanghai_sim.simulation.sittings import play_sittings, together

QUICK = {"rules": "shanghai-quick-odd", "deals": [1, 2]}


def plan_of(players=4, games=4, seed=1, namespace="final"):
    return requested_plan(
        "plain", rules="finnish", overrides=(), against="plain", players=players, games=games, seed=seed,
        namespace=namespace,
    )  # fmt: skip


def entry_of(names, games, **rest):
    rules = ss.load_rules(rest.pop("rules", "shanghai-quick-odd"))
    return enter([ss.load_policy(name) for name in names], rules, games=games, **{"deals": [1, 2], **rest})


def cells(found, part, metric):
    frame = found.to_frame().query("part == @part and metric == @metric")
    return frame.set_index(["policy", "against"])


# Designs


@pytest.mark.parametrize(("policies", "players"), [(15, 4), (16, 4), (7, 5), (5, 3), (4, 4), (9, 2)])
def test_rounds_are_balanced(policies, players):
    rounds = 120
    seats = np.zeros(policies, int)
    places = np.zeros((policies, players), int)
    met = np.zeros((policies, policies), int)
    for tables in balanced_rounds(plan_of(players), policies, rounds):
        assert len(tables) == policies
        in_round = np.bincount(np.ravel(tables), minlength=policies)
        assert (in_round == players).all()
        seats += in_round
        for table in tables:
            assert len(set(table)) == players
            for place, policy in enumerate(table):
                places[policy, place] += 1
            for one, other in combinations(table, 2):
                met[one, other] += 1
                met[other, one] += 1
    assert (seats == rounds * players).all()
    assert (places == rounds).all()
    pairs = met[~np.eye(policies, dtype=bool)]
    assert pairs.sum() == rounds * policies * players * (players - 1)
    assert np.abs(pairs - pairs.mean()).max() <= 0.1 * pairs.mean() + 2
    assert pairs.std() < 0.5 * np.sqrt(pairs.mean())  # half of what chance alone would leave


def test_with_fewer_policies_than_seats_each_sits_equally_often():
    for tables in balanced_rounds(plan_of(5), 3, 20):
        assert (np.bincount(np.ravel(tables), minlength=3) == 5).all()
        assert all(set(table) == {0, 1, 2} for table in tables)


def test_a_longer_tournament_begins_as_a_shorter_one():
    plan = plan_of()
    assert list(balanced_rounds(plan, 9, 12))[:5] == list(balanced_rounds(plan, 9, 5))
    assert list(balanced_rounds(plan_of(seed=2), 9, 5)) != list(balanced_rounds(plan, 9, 5))
    assert list(balanced_rounds(plan_of(namespace="tune"), 9, 5)) != list(balanced_rounds(plan, 9, 5))


@pytest.mark.parametrize(("policies", "players"), [(2, 4), (3, 3), (4, 2), (2, 2)])
def test_all_compositions_are_played_on_every_block_where_games_are_enough(policies, players):
    a_block = len(compositions(policies, players)) * players - policies * (players - 1)
    design = make_design(plan_of(players, LEAST_BLOCKS * a_block), policies)
    assert (design.full, design.units, design.cell_blocks) == (True, LEAST_BLOCKS, LEAST_BLOCKS)
    assert design.games == LEAST_BLOCKS * a_block
    played = {}
    for sitting in (sitting for part in design.parts for sitting in part):
        for block in range(sitting.first_block, sitting.first_block + sitting.blocks):
            played.setdefault(block, []).append(tuple(np.bincount(sitting.table, minlength=policies)))
    want = sorted(map(tuple, compositions(policies, players).tolist()))
    assert sorted(played) == list(range(LEAST_BLOCKS))
    assert all(sorted(tuple(map(int, t)) for t in tables) == want for tables in played.values())
    assert not make_design(plan_of(players, LEAST_BLOCKS * a_block - players), policies).full


def test_who_sits_beside_whom_changes_from_block_to_block():
    design = make_design(plan_of(4, 10_000), 4)
    assert design.full
    mixed = [s.table for part in design.parts for s in part if sorted(s.table) == [0, 1, 2, 3]]
    assert len(mixed) == design.units
    assert len({table[table.index(0) :] + table[: table.index(0)] for table in mixed}) == 6


def test_games_are_rounded_up_and_shared():
    entry = entry_of(["balanced", "plain", "no-buy", "random", "save-buys", "novice"], 3_000)
    design = entry.design
    assert not design.full
    assert design.games >= 3_000
    rounds = design.units * 6 * 4
    assert abs(rounds - 1_500) <= 24
    assert design.games - rounds == design.cell_blocks * 30 * 4


# Values


def slow_lead(table, points, policy):
    own = [x for p, x in zip(table, points, strict=True) if p == policy]
    others = [x for p, x in zip(table, points, strict=True) if p != policy]
    return np.mean(others) - np.mean(own)


@pytest.mark.parametrize(
    ("names", "players", "games"),
    [
        (["balanced", "plain", "random"], 3, 1200),
        (["balanced", "plain"], 2, 200),
        (["balanced", "plain", "random", "no-buy", "novice"], 3, 400),
    ],
)
def test_values_are_those_of_their_slow_twin(names, players, games):
    entry = entry_of(names, games, players=players, rules="finnish", deals=[1])
    design, k = entry.design, len(names)
    seated = together([s for _, s in play_sittings(entry.plan, entry.policies, design.parts)])
    found = values_of(design, seated, k)
    leads = [[[] for _ in range(k)] for _ in range(design.units)]
    in_rounds = design.units * k
    for i, (table, block) in enumerate(zip(seated.table.tolist(), seated.block, strict=True)):
        games = 1 if len(set(table)) == 1 else players
        points, win = seated.points[i] / games, seated.win[i] / games
        assert win.sum() == pytest.approx(1)
        unit = block if design.full else i // k
        for policy in set(table):
            if games > 1 and (design.full or i < in_rounds):
                leads[unit][policy].append(slow_lead(table, points, policy))
            if (
                games > 1
                and table.count(policy) == 1
                and len(set(table)) == 2
                and (design.full or i >= in_rounds)
            ):
                (other,) = set(table) - {policy}
                assert found.matrix[block, policy, other] == pytest.approx(slow_lead(table, points, policy))
                assert found.matrix_win[block, policy, other] == pytest.approx(win[table.index(policy)])
            if design.full:
                row = compositions(k, players).tolist().index([table.count(p) for p in range(k)])
                own = [x for p, x in zip(table, points, strict=True) if p == policy]
                assert found.tables[block, row, policy] == pytest.approx(-np.mean(own))
    np.testing.assert_allclose(found.lead, [[np.mean(x) for x in unit] for unit in leads])
    assert (found.tables is None) == (not design.full)


def test_a_place_gets_what_its_policy_gets_in_run():
    """One block of a table of four, with the games of `run`."""
    names = ["balanced", "plain", "no-buy", "random"]
    entry = entry_of(names, 10_000)
    part = next(p for p in entry.design.parts if any(sorted(s.table) == [0, 1, 2, 3] for s in p))
    sitting = next(s for s in part if sorted(s.table) == [0, 1, 2, 3])
    ((_, seated),) = play_sittings(entry.plan, entry.policies, [[sitting]])
    games = ss.run([names[i] for i in sitting.table], games=4 * (sitting.first_block + 1), **QUICK).games
    want = games.query("block == @sitting.first_block").groupby("policy_index").points.sum()
    assert seated.points[0].tolist() == want.tolist()


def test_leads_at_a_table_of_two_kinds_cancel():
    found = ss.tournament(["balanced", "plain"], games=700, **QUICK)
    lead = cells(found, "field", "points_better").estimate
    assert lead["balanced", ""] == pytest.approx(-lead["plain", ""])
    assert lead["balanced", ""] != 0


# The whole


def test_two_names_of_one_policy_come_out_equal():
    found = ss.tournament(["balanced", "balanced+noise=0"], games=700, **QUICK)
    for part in ("field", "matrix"):
        rows = cells(found, part, "points_better")
        assert (rows[["estimate", "low", "high"]] == 0).all(axis=None)
    assert found.verdict == "balanced and balanced+noise=0 do exactly the same against the field (700 games)."
    assert not found.dominated()
    assert (cells(found, "field", "rank").estimate == 1).all()


def test_two_names_of_one_policy_are_not_told_apart_in_a_balanced_design():
    names = ["balanced", "balanced+noise=0", "plain", "random", "no-buy", "novice"]
    found = ss.tournament(names, games=6_000, **QUICK)
    assert not found.full
    low, high = found.standings.pairs_low[0, 1], found.standings.pairs_high[0, 1]
    assert low <= 0 <= high
    assert low < high
    assert found.ranking.labels[-1] == "random"
    ranks = found.standings.ranks
    assert ranks.low[0] <= 2 <= ranks.high[0]


@pytest.mark.parametrize(
    "names", [["balanced", "plain", "random"], ["balanced", "plain", "random", "no-buy", "novice"]]
)
def test_workers_change_nothing(names):
    one, two = (ss.tournament(names, games=1_500, workers=workers, **QUICK) for workers in (1, 2))
    assert str(one.rows) == str(two.rows)  # as text, since NaN is not equal to itself
    assert one.verdict == two.verdict


def test_the_choice_is_that_of_the_payoffs():
    found = ss.tournament(["balanced", "plain", "random"], games=2_500, players=3, **QUICK)
    assert found.full
    tables = (
        found.to_frame().query("part == 'tables' and metric == 'points'").set_index(["against", "policy"])
    )
    labels, counts = found.entry.labels, compositions(3, 3)
    payoffs = np.full(counts.shape, np.nan)
    for row, count in zip(payoffs, counts, strict=True):
        name = ", ".join(f"{n} {label}" for n, label in zip(count, labels, strict=True) if n)
        for i in np.flatnonzero(count):
            row[i] = -tables.estimate[name, labels[i]]
    game = MetaGame(3, payoffs)
    np.testing.assert_allclose(found.choosing.game.payoffs, payoffs)
    mixture = symmetric_equilibrium(game, 50).mixture
    shares = cells(found, "metagame", "equilibrium").estimate
    np.testing.assert_allclose(shares.to_numpy(), mixture)
    assert shares.sum() == pytest.approx(1)
    assert cells(found, "metagame", "alpha_rank").estimate.sum() == pytest.approx(1)
    lead = cells(found, "metagame", "lead").estimate
    np.testing.assert_allclose(lead["balanced", "random"], game.lead()[0, 2])
    assert ("balanced", "random", True) in found.dominated()


def test_the_game_of_two_is_the_matrix():
    found = ss.tournament(["balanced", "plain", "random", "no-buy", "novice"], games=600, **QUICK)
    assert not found.full
    matrix = cells(found, "matrix", "points_better").estimate
    game, labels = found.choosing.game, found.entry.labels
    assert game.players == 2
    for i, one in enumerate(labels):
        for j, other in enumerate(labels):
            at = game.others.tolist().index([int(n == j) for n in range(5)])
            assert game.against[i, at] == pytest.approx(0 if i == j else matrix[one, other])
    assert "tables" not in set(found.to_frame().part)


def test_save(tmp_path):
    found = ss.tournament(["balanced", "plain"], games=700, **QUICK)
    found.save(tmp_path / "t")
    assert (tmp_path / "t" / "tournament.csv").read_text().count("\n") == len(found.rows) + 1
    assert found.verdict.split(":")[0] in (tmp_path / "t" / "tournament.json").read_text()


@pytest.mark.parametrize(
    ("names", "rest", "message"),
    [
        (["plain"], {}, "2 to 40 policies, not 1"),
        (["plain", "plain"], {}, "plain is named twice"),
        (["plain", "balanced+buy.max_buys=1/2"], {}, "one value per deal"),
        (["plain", "balanced"], {"players": 9}, "3 to 8 players"),
        (["plain", "balanced"], {"games": 0}, "games: 0"),
    ],
)
def test_a_wrong_call_is_refused(names, rest, message):
    with pytest.raises(ss.InputError, match=message):
        ss.tournament(names, **rest)


# Words, bands


def words(lead, low, high, units=100):
    labels = [f"p{i}" for i in range(len(lead))]
    ranking = ranked(labels, np.array(lead, float), np.array(low, float), np.array(high, float))
    return verdict(ranking, units, 1_000, 500, "a game"), finding(ranking, units, "a game")


def ends(lead, half):
    apart = np.subtract.outer(lead, lead)
    return apart - half, apart + half


def test_the_first_line():
    lead = [1.0, 30.0, 2.0, 20.0]
    text, title = words(lead, *ends(lead, 3))
    assert text == (
        "p1 wins: 10.0 points a game better against the field than p3, the second (95 % interval 7.0 to 13.0, for all "
        "pairs at once; 1,000 games); not told apart: p2 and p0."
    )
    assert title == "p1 wins, 10.0 ± 3.0 points a game better against the field than p3"
    text, title = words(lead, *ends(lead, 15))
    assert text.startswith(
        "No single winner: p1 does best against the field, but is not clearly better than p3 (10.0"
    )
    assert title == "No single winner: p1 is not clearly better than p3"
    text, _ = words(lead, *ends(lead, 3), units=49)
    assert text == (
        "Too few games to tell: in 1,000 games p1 does best against the field, 10.0 points a game better than p3; "
        "500 games are the least."
    )


def test_groups_are_the_longest_stretches():
    lead = [10.0, 8.0, 6.0, 4.0, -20.0]
    low, high = ends(lead, 4.5)
    assert ranked("abcde", np.array(lead), low, high).groups() == [["a", "b", "c"], ["b", "c", "d"]]


def test_bands_of_one_column_are_student_intervals():
    values = np.random.default_rng(5).normal(size=(12, 1))
    want = mean_interval(Moments.of(values))
    found = simultaneous(values, 1)
    assert found.high[0] - found.low[0] == pytest.approx(want.high[0] - want.low[0], rel=0.1)
    normal = 2 * 1.96 * values.std(ddof=1) / np.sqrt(12)
    assert found.high[0] - found.low[0] > 1.05 * normal


def test_bands_cover_with_few_blocks():
    """Nearly as often as they should with twelve blocks, where normal multipliers alone fall well short."""
    rng = np.random.default_rng(6)
    runs, covered, without = 300, 0, 0
    for seed in range(runs):
        values = rng.normal(size=(12, 10))
        covered += _covers(simultaneous(values, seed))
        without += _covers(max_t(values, seed).bands())
    assert covered / runs > 0.89
    assert without / runs < covered / runs - 0.05


def _covers(found):
    return bool(((found.low <= 0) & (found.high >= 0)).all())


def test_all_pairs_are_antisymmetric():
    values = np.random.default_rng(7).normal(size=(50, 4))
    low, high = all_pairs(values, 1)
    np.testing.assert_array_equal(low, -high.T)
    assert (np.diag(low) == 0).all()
    np.testing.assert_allclose((low + high)[1, 3] / 2, values[:, 1].mean() - values[:, 3].mean())


def test_a_single_block_has_no_interval():
    found = simultaneous(np.ones((1, 2)), 1)
    assert np.isnan(found.low).all()
    assert (found.estimate == 1).all()
