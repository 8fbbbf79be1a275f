"""Every option that can be played does what it says, in games that the referee accepts."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from shanghai_sim.engine import metrics
from shanghai_sim.engine.batch import play_blocks
from shanghai_sim.engine.transcript import transcript
from tests.reference.referee import check_transcript
from tests.unit.engine.test_tables import setup_of

NOTHING = "score.points={A=0,K=0,Q=0,J=0,T=0,9=0,8=0,7=0,6=0,5=0,4=0,3=0,2=0,JK=%d}"
SWAPPER = "plain+swap.use=always"
STRAY = "plain+noise=0.3"


@cache
def games(
    *changes: str,
    rules="shanghai",
    players=4,
    policies=("aggressive-buy",),
    deals=(1, 5),
    n=3,
    coupling="seat",
) -> list[list[dict]]:
    """Return the transcripts of some games, each accepted by the referee."""
    changes = ("players.min=2", *changes)
    setup = setup_of(rules, players, policies, changes, coupling=coupling, deals=deals, seed=29)
    # Another block each, as equal policies play alike in all rotations.
    found = [transcript(setup, (players + 1) * i) for i in range(n)]
    for events in found:
        assert check_transcript(events, deals) == []
    return found


def deals_of(found: list[list[dict]]) -> list[list[dict]]:
    """Return the events of each deal, from the deal event to its end."""
    parts = []
    for events in found:
        for event in events:
            if event["event"] == "deal":
                parts.append([])
            if parts and event["event"] not in ("sudden-death", "game-end", "game"):
                parts[-1].append(event)
    return parts


def all_of(found, kind: str) -> list[dict]:
    return [event for events in found for event in events if event["event"] == kind]


def buys_per_seat(deal: list[dict]) -> int:
    """Return the most buys that a seat took in a deal."""
    return max(Counter(e["seat"] for e in deal if e["event"] == "buy").values(), default=0)


def when_down(found, kind: str, **wanted) -> tuple[int, int]:
    """Return how many events of a kind there were of seats whose contract was not down, and was down."""
    counts = [0, 0]
    for deal in deals_of(found):
        down = set()
        for event in deal:
            if event["event"] == "lay-down":
                down.add(event["seat"])
            elif event["event"] == kind and all(event[k] == x for k, x in wanted.items()):
                counts[event["seat"] in down] += 1
    return counts[0], counts[1]


# Buying.


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_buys_per_deal_reach_their_limit(limit):
    assert max(map(buys_per_seat, deals_of(games(f"buy.per_deal={limit}")))) == limit


def test_buys_per_deal_without_limit_or_as_a_list():
    assert max(map(buys_per_seat, deals_of(games("buy.per_deal=unlimited", deals=(10,))))) > 3
    most = Counter()
    changes = ("deal.contracts=['R5 R5','R5 R5','R5 R5']", "buy.per_deal=[2,0,1]")
    for deal in deals_of(games(*changes, NOTHING % 0, deals=(1, 2, 3), n=2)):
        most[deal[0]["deal"]] = max(most[deal[0]["deal"]], buys_per_seat(deal))
    # All cards cost nothing, so that each game ends in sudden death: deal 4, played as deal 3.
    assert most == {1: 2, 2: 0, 3: 1, 4: 1}


def test_buys_per_game_span_the_deals_and_sudden_death():
    found = games("buy.per_game=5", "buy.per_deal=3", NOTHING % 0, deals=(1, 5, 8, 10))
    for events in found:
        assert len([e for e in events if e["event"] == "deal"]) == 5
        bought = Counter(e["seat"] for e in events if e["event"] == "buy")
        assert max(bought.values()) == 5
    assert max(map(buys_per_seat, deals_of(found))) == 3


@pytest.mark.parametrize("penalty", [0, 1, 2, 4])
def test_penalty_cards(penalty):
    assert {len(buy["penalty"]) for buy in all_of(games(f"buy.penalty_cards={penalty}"), "buy")} == {penalty}


@pytest.mark.parametrize("allowed", [False, True])
def test_who_discarded_a_card_buys_it_back_only_by_option(allowed):
    own = 0
    option = f"buy.own_discard={str(allowed).lower()}"
    for deal in deals_of(games(option, players=3, policies=("aggressive-buy", "no-buy", "plain"))):
        discarder = None
        for event in deal:
            own += event["event"] == "buy" and event["seat"] == discarder
            discarder = event["seat"] if event["event"] == "discard" else discarder
    assert (own > 0) == allowed


def test_buying_once_the_own_contract_is_down():
    either = {"policies": (STRAY,), "n": 6}
    assert min(when_down(games(**either), "buy")) > 0
    before, after = when_down(games("buy.after_laying_down=false", **either), "buy")
    assert before > 0
    assert after == 0


@pytest.mark.parametrize("forbidden", [False, True])
def test_no_melding_in_the_turn_after_a_buy(forbidden):
    melded = 0
    for deal in deals_of(games(f"buy.no_meld_next_turn={str(forbidden).lower()}", deals=(1, 2), n=6)):
        fresh = set()
        for event in deal:
            if event["event"] == "buy":
                fresh.add(event["seat"])
            elif event["event"] == "discard":
                fresh.discard(event["seat"])
            melded += event["event"] in ("lay-down", "lay-off", "swap") and event["seat"] in fresh
    assert (melded == 0) == forbidden


# Drawing, dealing, the stock.


def test_drawing_the_discard_once_the_own_contract_is_down():
    either = {"policies": ("plain",), "n": 6}
    assert min(when_down(games(**either), "draw", **{"from": "discard"})) > 0
    never = games("draw.discard_after_laying_down=false", **either)
    assert when_down(never, "draw", **{"from": "discard"})[1] == 0


def test_hands_grow_with_the_deals_and_into_sudden_death():
    found = games(NOTHING % 0, rules="shanghai-growing", policies=("no-buy",), deals=(1, 3, 4, 7, 8, 10), n=1)
    sizes = {deal[0]["deal"]: {len(hand) for hand in deal[0]["hands"]} for deal in deals_of(found)}
    assert sizes == {1: {11}, 3: {11}, 4: {13}, 7: {13}, 8: {15}, 10: {15}, 11: {15}}


def test_the_first_player_may_have_a_card_more():
    """No card is turned up, the first turn is a discard alone, and that discard can be taken and bought."""
    found = games(rules="finnish", policies=("plain", "no-buy"), deals=(1, 2, 3), n=8)
    after = Counter()
    for start, discard, second, third, *_ in deals_of(found):
        first = (start["dealer"] + 1) % 4
        assert start["upcard"] is None
        assert [len(hand) for hand in start["hands"]] == [13 if seat == first else 12 for seat in range(4)]
        assert (discard["event"], discard["seat"]) == ("discard", first)
        after[second["event"]] += 1
        after["taken"] += second.get("from") == "discard"
        assert third["event"] in ("draw", "discard", "lay-down")
    assert after["buy"] > 0
    assert after["draw"] > 0


@pytest.mark.parametrize("players", [2, 8])
def test_the_fewest_and_the_most_players(players):
    found = games(players=players, policies=("plain", "aggressive-buy", "random"), deals=(1, 8))
    assert all(len(deal[-1]["scores"]) == players for deal in deals_of(found))


@pytest.mark.parametrize("coupling", ["seat", "pile"])
def test_a_stock_that_runs_out_is_made_of_the_pile_and_then_there_is_nothing(coupling):
    """Eight hands of 20 leave one card: draws of nothing, buys with too few penalty cards, no deal hangs."""
    crowd = games(
        "deal.hand_size=20", "buy.per_deal=unlimited", "buy.penalty_cards=2", players=8, coupling=coupling,
        policies=("aggressive-buy", "plain"), deals=(10,), n=2,
    )  # fmt: skip
    assert all_of(crowd, "reshuffle")
    assert any(draw["from"] == "none" for draw in all_of(crowd, "draw"))
    assert {len(buy["penalty"]) for buy in all_of(crowd, "buy")} >= {0, 1}


def test_a_deal_may_end_when_the_stock_is_empty():
    ends = ("stock.when_empty=end-deal", "deal.hand_size=18", "buy.penalty_cards=2")
    found = games(*ends, players=6, deals=(8, 10))
    assert not all_of(found, "reshuffle")
    over = [deal[-1] for deal in deals_of(found) if deal[-1]["reason"] == "stock-empty"]
    assert over
    assert all(end["winner"] is None and min(end["scores"]) > 0 for end in over)


@pytest.mark.parametrize("limit", [1, 3])
def test_the_turn_limit_ends_a_deal(limit):
    for deal in deals_of(games(f"stock.turn_limit={limit}", policies=("random",))):
        assert deal[-1]["reason"] == "turn-limit"
        turns = Counter(event["seat"] for event in deal if event["event"] == "discard")
        assert set(turns.values()) == {limit}


def test_the_usual_turn_limit_is_hardly_ever_reached():
    batch = play_blocks(setup_of(policies=["plain"]), 0, 20)
    assert (batch.deals[:, :-1, 0, metrics.END_REASON] == metrics.OUT).mean() > 0.995


# Winning.


def test_ties_are_shared_by_option():
    for events in games(NOTHING % 0, "score.tie=shared", policies=("plain",), deals=(1,)):
        assert events[-1]["winners"] == [0, 1, 2, 3]
        assert not all_of([events], "sudden-death")


def test_ties_are_settled_by_sudden_death():
    found = games(NOTHING % 1, "stock.turn_limit=2", policies=("plain",), deals=(3,), n=12)
    settled = 0
    for events in found:
        deaths = all_of([events], "sudden-death")
        low = [s for s, total in enumerate(events[-1]["totals"]) if total == min(events[-1]["totals"])]
        assert bool(deaths) == (len(low) > 1)
        if deaths:
            last = deals_of([events])[-1]
            assert (last[0]["deal"], last[0]["contract"]) == (11, "R4 R4 R4")
            assert deaths[0]["seats"] == low
            # The dealer moves on; everybody plays; the totals stay; the lower score among the tied wins.
            assert last[0]["dealer"] == 10 % 4
            assert len(last[0]["hands"]) == 4
            best = min(last[-1]["scores"][seat] for seat in low)
            assert events[-1]["winners"] == [seat for seat in low if last[-1]["scores"][seat] == best]
            settled += len(events[-1]["winners"]) < len(low)
    assert settled > 0


def test_the_contract_of_sudden_death_may_be_named():
    found = games(NOTHING % 0, "score.sudden_death_contract=S3 S3 R5", policies=("plain",), deals=(1,), n=1)
    assert [deal["contract"] for deal in all_of(found, "deal")] == ["S3 S3", "S3 S3 R5"]
