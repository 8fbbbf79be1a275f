"""Tips: their files, their trials, what the court says of numbers that are known, and going on with a run."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from attrs import evolve

import shanghai_sim as ss
from shanghai_sim.experiments.tips import play
from shanghai_sim.experiments.tips.court import Budget, Found, try_all
from shanghai_sim.experiments.tips.docket import make_docket
from shanghai_sim.experiments.tips.ruling import Word, screened, share_interval, watched
from shanghai_sim.experiments.tips.tip import all_tips, find_tips
from shanghai_sim.experiments.tips.trial import ANY, DIFFERING, GAIN, N_GAME, Seating, deals_of, make_trial
from shanghai_sim.inference.blocks import Moments

TIPS = {tip.name: tip for tip in all_tips()}
TINY = {"screen": 20, "most": 40, "cell": 4, "asked": 4}


def seating(rules="shanghai", players=4, policy="balanced", against="balanced"):
    ruleset = rules if isinstance(rules, ss.Ruleset) else ss.load_rules(rules)
    return Seating(ruleset, players, ss.load_policy(policy), (ss.load_policy(against),), 1, "seat")


# The files


def test_all_tips_are_there():
    assert [tip.number for tip in all_tips()] == list(range(1, 26))
    assert len(TIPS) == 25
    assert all(tip.main.judged and tip.advice.endswith(".") and tip.reading for tip in all_tips())


@pytest.mark.parametrize("tip", all_tips(), ids=lambda tip: tip.name)
def test_a_tip_can_be_tried_and_turns_what_it_says(tip):
    for way in tip.ways:
        trial = make_trial(tip, way, seating())
        changed = {
            key for key, value in trial.sides[0].parameters.items() if trial.sides[1].parameters[key] != value
        }
        assert changed
        if way is tip.main:
            assert changed & set(tip.turns)


# The trials


def test_deals_by_word():
    shanghai = ss.load_rules("shanghai")
    assert deals_of("mixed", shanghai, 4) == (2, 5, 6, 8, 9)
    assert deals_of("one-turn", shanghai, 4) == (6, 9)
    assert deals_of("8-10", shanghai, 4) == (8, 9, 10)
    with pytest.raises(ss.InputError, match="finnish has 7 deals, none of 8-10"):
        deals_of("8-10", ss.load_rules("finnish"), 4)


def test_the_side_that_all_others_play_is_the_baseline():
    follows = make_trial(TIPS["memory"], TIPS["memory"].main, seating())
    assert follows.follows == 1
    assert follows.question.baseline.rotations == 1
    ignores = make_trial(TIPS["never-buy"], TIPS["never-buy"].main, seating())
    assert ignores.follows == 0
    assert ignores.question.baseline.rotations == 1


def test_a_policy_that_plays_alike_on_both_sides_is_refused():
    with pytest.raises(ss.InputError, match="plays alike on both sides"):
        make_trial(TIPS["never-buy"], TIPS["never-buy"].main, seating(policy="balanced+buy.when=never"))


def test_deals_that_stand_apart_are_played_alone_and_come_out_as_in_the_whole_game():
    way = evolve(TIPS["never-buy"].main, deals="1-2")
    alone = make_trial(TIPS["never-buy"], way, seating())
    # A limit that nobody reaches makes the deals depend on one another, and changes nothing.
    game = make_trial(TIPS["never-buy"], way, seating(ss.load_rules("shanghai", ["buy.per_game=999"])))
    assert alone.deals == (1, 2)
    assert game.deals == tuple(range(1, 11))
    assert alone.sides[0].parameters == game.sides[0].parameters
    found = [
        play.play_trials([trial], 0, 30, stage="x", namespace="select", workers=1)[0]
        for trial in (alone, game)
    ]
    assert found[0].mean[GAIN] != 0
    np.testing.assert_allclose(found[0].mean[[GAIN, DIFFERING]], found[1].mean[[GAIN, DIFFERING]])
    np.testing.assert_allclose(found[0].mean[N_GAME:], found[1].mean[N_GAME : N_GAME + 2])
    assert not found[1].mean[N_GAME + 2 :].any()


def test_a_gain_is_what_compare_says():
    trial = make_trial(TIPS["memory"], TIPS["memory"].main, seating())
    moments = play.play_trials([trial], 0, 60, stage="x", namespace="final", workers=1)[0]
    same = ss.compare("balanced+opponents.memory=0", "balanced", until="games=300")
    assert moments.mean[GAIN] == pytest.approx(-same.difference)


# What is said of numbers that are known


def moments_of(gain, differing, seed=1):
    """Return the moments of blocks with gains and shares of games that come out otherwise."""
    gain = np.asarray(gain, dtype=float)
    differing = np.broadcast_to(differing, gain.shape)
    values = np.zeros((len(gain), N_GAME + 1))
    values[:, GAIN], values[:, DIFFERING], values[:, ANY] = gain, differing, differing > 0
    return Moments.of(values)


def noise(n, sd, seed=1):
    values = np.random.default_rng(seed).normal(size=n)
    return sd * (values - values.mean()) / values.std()


@pytest.mark.parametrize(
    ("mean", "sd", "word", "done"),
    [
        (30, 40, Word.TRUE, True),
        (1.0, 5, Word.SMALL, True),
        (0.0, 10, Word.NONE, True),
        (3.0, 400, Word.OPEN, False),
        (-1.0, 5, Word.FALSE, True),
        (-30, 40, Word.FALSE, True),
    ],
)
def test_fresh_blocks_are_judged_by_the_margin(mean, sd, word, done):
    trial = make_trial(TIPS["memory"], TIPS["memory"].main, seating())
    found = watched(trial, moments_of(mean + noise(2_000, sd), 1.0), 2_000, 20, last=False)
    assert (found.word, found.done) == (word, done)
    assert found.sign == int(found.gain.low > 0) - int(found.gain.high < 0)


def test_the_screen_settles_what_surely_does_nothing_and_no_more():
    trial = make_trial(TIPS["memory"], TIPS["memory"].main, seating())
    assert not screened(trial, moments_of(30 + noise(2_000, 40), 1.0), 20).done
    assert screened(trial, moments_of(noise(2_000, 10), 1.0), 20).word is Word.NONE
    seldom = np.where(np.arange(4_000) % 100 == 0, 0.25, 0.0)
    assert screened(trial, moments_of(noise(4_000, 1), seldom), 20).word is Word.RARE


def test_a_handful_of_blocks_that_differ_says_nothing():
    trial = make_trial(TIPS["memory"], TIPS["memory"].main, seating())
    few = np.where(np.arange(500) < 5, 0.25, 0.0)
    moments = moments_of(np.where(few > 0, 1.0, 0.0), few)
    assert screened(trial, moments, 20).word is Word.OPEN
    found = watched(trial, moments, 500, 20, last=False)
    assert (found.word, found.done) == (Word.OPEN, False)


def test_the_exact_interval_where_few_blocks_differ():
    # No block of 298: the rule of three, 1 - 0.025 ** (1 / 298).
    estimate, low, high = share_interval(moments_of(np.zeros(298), 0.0), 0.95)
    assert (estimate, low) == (0.0, 0.0)
    assert high == pytest.approx(1 - 0.025 ** (1 / 298))


class Pretended:
    """Stands for a bench: it plays nothing, and every trial has a true gain of 0."""

    folder = workers = progress = None

    def __init__(self, seed):
        self._seeds = count(1_000 * seed)

    def play(self, trials, first, blocks, stage, namespace, told):
        rng = np.random.default_rng(next(self._seeds))
        return [moments_of(rng.normal(0, 60, blocks), 1.0) for _ in trials]


def test_a_court_of_tips_that_do_nothing_seldom_finds_any():
    """At most 5 % of courts call any tip true or false; more than 6 of 60 would come up in 3 % of such runs."""
    trial = make_trial(TIPS["memory"], TIPS["memory"].main, seating())
    wrong = stood_out = 0
    for seed in range(60):
        found = try_all([trial] * 12, [], Budget(300, 1_500, 2, 4), Pretended(seed))
        words = {ruling.word for ruling in found.family}
        wrong += bool(words & {Word.TRUE, Word.SMALL, Word.FALSE})
        stood_out += any(found.stands_out)
    assert isinstance(found, Found)
    assert found.games > 0
    assert wrong <= 6
    assert stood_out <= 12


# The docket and the cards


def test_the_docket_has_other_players_fields_and_rules():
    docket = make_docket(find_tips(["joker-clock"]), seating(), ss.load_policy("points-dumper"))
    assert [trial.part for trial in docket.family] == ["way"] * 8 + ["policy"]
    cells = {trial.cell for trial in docket.cells}
    assert {"3 players", "5 players", "6 players", "weak field", "strong field", "finnish"} <= cells
    short = make_docket(find_tips(["joker-clock"]), seating(), None, short=True)
    assert len(short.family) == 2
    assert {trial.part for trial in short.cells} == {"players", "field"}


def test_what_cannot_be_tried_is_told_with_its_reason():
    docket = make_docket(find_tips(["block-the-leader"]), seating("finnish"), None)
    assert [trial.way.title for trial in docket.family] == ["in all contracts"]
    with pytest.raises(
        ss.InputError, match="tip 25: in contracts 8 to 10: finnish has 7 deals, none of 8-10"
    ):
        ss.tips(["block-the-leader"], rules="finnish", quick=True)
    asked = ["block-the-leader", "watch-the-wilds"]
    court = ss.tips(asked, rules="finnish", second=None, quick=True, budget=TINY)
    assert court.cards[0].word is Word.UNTRIED
    # So few blocks decide nothing.
    assert court.cards[1].word is Word.OPEN
    reasons = court.to_frame().query("reason != ''").reason.tolist()
    assert reasons == ["finnish has 7 deals, none of 8-10"]


def test_the_tip_is_judged_under_the_very_rules():
    """Ways under changed rules do not stand in for one that cannot be tried."""
    way = evolve(TIPS["never-buy"].main, rules=("buy.per_game=999",))
    tip = evolve(TIPS["never-buy"], ways=(evolve(way, rules=(), deals="99"), way))
    docket = make_docket([tip], seating(), None)
    assert len(docket.family) == 1
    assert docket.main_of(tip) is None


def test_readings_that_differ_make_it_depend():
    court = ss.tips(["joker-clock"], quick=True, second=None, budget=TINY | {"most": 500})
    card = court.cards[0]
    assert card.word is Word.DEPENDS
    assert card.main.word is Word.FALSE
    rows = court.to_frame()
    assert rows.query("part == 'tip'").verdict.tolist() == ["depends"]
    assert rows.query("part == 'tip'").said.tolist() == ["false"]
    assert rows.query("part == 'way'").verdict.tolist() == ["false", "true"]
    deals = rows.query("part == 'deal'")
    assert deals.estimate.sum() == pytest.approx(float(card.main.gain.estimate))


def test_an_interrupted_court_goes_on_and_ends_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "SLICE_GAMES", 60)
    asked = {"asked": ["never-buy"], "quick": True, "second": None, "budget": TINY}
    whole = ss.tips(**asked, workers=1).to_frame()
    calls = count()

    def interrupt(stage, done, total):
        if stage == "final" and next(calls) > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ss.tips(**asked, out=tmp_path / "court", progress=interrupt, workers=2)
    assert list((tmp_path / "court" / "parts").glob("final-*"))
    with pytest.raises(ss.InputError, match="--resume goes on with it"):
        ss.tips(**asked, out=tmp_path / "court")
    for _ in range(2):
        again = ss.tips(**asked, out=tmp_path / "court", resume=True, workers=2).to_frame()
        assert again.equals(whole)
    with pytest.raises(ss.InputError, match="holds another run: seed: 1 there, 2 asked"):
        ss.tips(**asked, out=tmp_path / "court", resume=True, seed=2)
