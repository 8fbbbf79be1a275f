"""Contracts: the notation, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shanghai_sim.errors import CardError
from shanghai_sim.rules.contract import Contract, Meld

MELDS = st.one_of(
    st.builds(Meld, st.just("set"), st.integers(3, 99)),
    st.builds(Meld, st.just("run"), st.integers(3, 14)),
)


@given(st.lists(MELDS, min_size=1, max_size=6))
def test_notation_round_trips(melds):
    contract = Contract(tuple(melds))
    assert Contract.parse(str(contract)) == contract
    assert contract.cards == sum(contract.sets) + sum(contract.runs)


@given(st.lists(st.tuples(st.integers(1, 3), MELDS), min_size=1, max_size=4))
def test_words_say_the_same_as_the_short_form(groups):
    words = " + ".join(f"{n} {meld.kind}{'s' * (n > 1)} of {meld.size}" for n, meld in groups)
    assert Contract.parse(words).melds == tuple(meld for n, meld in groups for _ in range(n))


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("s3 r4", "S3 R4"),
        ("S3, S3 + R4", "S3 S3 R4"),
        ("2 sets of 3 + 1 run of 4", "S3 S3 R4"),
        ("1 Run of 10", "R10"),
        ("  R5   R5 ", "R5 R5"),
    ],
)
def test_ways_to_write(text, short):
    assert str(Contract.parse(text)) == short


def test_order_is_kept_and_sizes_are_told_apart():
    contract = Contract.parse("R5 S3 R4 S4")
    assert (contract.sets, contract.runs, contract.cards) == ((3, 4), (5, 4), 16)
    assert str(contract) == "R5 S3 R4 S4"


@pytest.mark.parametrize(
    "text",
    ["", "S", "S2", "R2", "R15", "X3", "S3 R", "3 sets", "S3 + ", "0 sets of 3", "S3-R4", "99 sets of 3"],
)
def test_what_is_no_contract_is_refused_in_one_line(text):
    with pytest.raises(CardError, match="not a contract") as caught:
        Contract.parse(text)
    assert "\n" not in str(caught.value)


def test_a_wrong_size_is_told():
    with pytest.raises(CardError, match="a run has 3 to 14 cards, not 15"):
        Contract.parse("S3 R15")
