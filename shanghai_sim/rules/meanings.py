"""What every option of a ruleset changes at the table, in one sentence for a player (RULES has it in full)."""

from __future__ import annotations

#: By dotted key, in the order of the schema (rules.sections). A flag is told by the value that it has not in
#: ``shanghai``, a choice by all its words.
MEANINGS = {
    "players.min": "The fewest players that the rules are for; with fewer, a game is refused.",
    "players.max": (
        "The most players that the rules are for; with more, a game is refused, "
        "and so it is where there are too few cards to deal to everybody."
    ),
    "cards.packs": (
        "How many packs are shuffled together, each number from so many players on: "
        "with two packs every card is there twice, and two identical cards may stand in one set."
    ),
    "cards.jokers": (
        "How many jokers there are in all packs together, each number from so many players on: where "
        "cards.wild names them they stand for any card, and otherwise they are dead cards that fit nowhere."
    ),
    "cards.wild": (
        "Which cards are wild, that is, may stand for any card: a wild two may still stand for itself, "
        "but counts as a wild in every limit, in swaps and in what it costs."
    ),
    "cards.ace": (
        'With "low" an ace in a run stands below the two alone, with "high" above the king alone, with "both" '
        "in either place but never between king and two, so that a run can grow to 14 cards instead of 13."
    ),
    "deal.contracts": (
        "The contract of every deal in order, and so how many deals a game has: "
        "a contract too large for the hand dealt can be made only by buying."
    ),
    "deal.hand_size": (
        "How many cards everyone is dealt, in all deals alike or deal by deal: a larger hand needs fewer buys "
        "for a large contract, and has more cards left over beside a small one."
    ),
    "deal.natural_only": (
        "The numbers of the deals whose contract must be laid down without wilds, so that a wild serves there "
        "for laying off alone; what holds in the last deal holds in sudden death too."
    ),
    "deal.first_player_extra_card": (
        "With true the first player is dealt one card more, no card is turned up, and this player's first turn "
        "is a discard alone, which others can take or buy; so this player cannot lay down before the second turn."
    ),
    "draw.discard_after_laying_down": (
        "With false a player whose contract is down draws from the stock alone, "
        "so that no discard can be drawn to be laid off."
    ),
    "buy.per_deal": (
        "How often a player may buy in one deal; 0 means that nobody buys, "
        "and a contract that needs more buys than this can never be made."
    ),
    "buy.per_game": (
        "How often a player may buy in the whole game, sudden death included: "
        "a buy made in one deal is gone for all later ones, and buy.per_deal holds as well."
    ),
    "buy.penalty_cards": (
        "How many cards from the stock a buyer takes along with the bought one: the more there are, the fewer "
        "buys bring a large contract within reach, and the more cards there are to get rid of."
    ),
    "buy.own_discard": (
        "With true the player who discarded a card may buy it back, and is asked last; "
        "without that, two players can buy nothing but the card turned up at first."
    ),
    "buy.after_laying_down": (
        "With false a player whose contract is down buys no more, "
        "so that a discard can be bought by those alone who have yet to lay down."
    ),
    "buy.no_meld_next_turn": (
        "With true a buyer may not lay down, lay off or swap in the next own turn, "
        "so that nothing bought reaches a meld before the turn after it."
    ),
    "meld.longer_at_lay_down": (
        "With true a meld may be laid down with more cards than the contract asks for, "
        "so that cards that fit leave the hand at once instead of being laid off later."
    ),
    "meld.lay_off_same_turn": (
        "With true cards may be laid off, and wilds swapped, in the very turn of laying down instead of from "
        "the next turn on, so that a hand with cards to spare can go out at once."
    ),
    "meld.max_wilds": (
        'The most wilds that a meld may be laid down with, or "any" for no limit: '
        "the rest of it must be natural cards, and with 0 a contract takes no wild at all."
    ),
    "meld.naturals_outnumber_wilds": (
        'With "at-least-equal" a meld is laid down with no more wilds than naturals, with "strictly" with fewer '
        "(a set of 3 takes one wild either way, a run of 4 two or one), "
        'and with "no" their numbers are not compared.'
    ),
    "meld.wild_limits": (
        'With "lay-down" meld.max_wilds and meld.naturals_outnumber_wilds bind melds only as they are laid down, '
        'and wilds are laid off freely later; with "always" a meld takes no further wild that would break them.'
    ),
    "meld.set_suits": (
        'With "distinct" the natural cards of a set must differ in suit when it is laid down, so that no set is '
        'laid down with two identical ones; with "any" they need not, and cards laid off never need to.'
    ),
    "meld.same_rank_sets": (
        "With false a contract may not hold two sets of the same rank, "
        "so that six sevens do not make two sets of 3."
    ),
    "meld.runs_may_adjoin": (
        "With false, of two runs of one suit that are laid down together neither may begin right above the top "
        "card of the other, so that eight natural cards in a row do not make two runs of 4."
    ),
    "swap.melds": (
        "Where a player whose contract is down may put in the natural card that a wild stands for and take the "
        'wild: in "runs" alone, in "all" melds (in a set, by any card of its rank) or in "none", '
        "so that a wild stays where it lies."
    ),
    "swap.freed_wild": (
        'With "hand" the wild that a swap frees goes to the hand, which stays as large as it was; with "table" '
        "it is laid off at once, so that the hand gets smaller, and without a place for it there is no swap."
    ),
    "go_out.discard": (
        'With "required" the last card must be a discard, so that a contract is laid down only with a card to '
        'spare; with "optional" laying down or laying off may empty the hand too.'
    ),
    "go_out.last_deal_takes_whole_hand": (
        "With true the contract of the last deal and of sudden death must take in the whole hand, in melds as "
        "long as need be, and laying down ends the deal without a discard, "
        "so that everybody else scores a whole hand."
    ),
    "stock.when_empty": (
        'With "reshuffle" the discards below the top one are shuffled to go on when the stock runs out; with '
        '"end-deal" the deal ends when the active player has to draw from an empty stock, '
        "and everyone scores the hand."
    ),
    "stock.turn_limit": (
        "How many turns each player has in a deal at most: before anyone takes one more the deal ends, "
        "nobody has gone out, and everyone scores the hand."
    ),
    "score.points": (
        "What each card left in hand costs when a deal ends, by rank and for the joker, "
        "and so which cards are dear to be caught with; cards that are not named keep their points."
    ),
    "score.wild_points": (
        "What wilds other than jokers cost in hand, by rank or by card, in place of score.points: "
        "without an entry a wild two costs the same as a natural one."
    ),
    "score.first_turn_bonus": (
        "What going out in one's own first turn scores in place of 0: "
        "a negative number lowers that player's total, and 0 means no bonus."
    ),
    "score.first_turn_bonus_without_wild": (
        "What going out in one's own first turn scores with no wild laid down or laid off, so that doing it with "
        "natural cards alone can be worth more; 0 means that score.first_turn_bonus holds there too."
    ),
    "score.one_turn_bonus": (
        "What going out in the very turn of laying down scores in place of 0; where it is the first turn as "
        "well, so that score.first_turn_bonus applies too, the lower score counts."
    ),
    "score.one_turn_bonus_without_wild": (
        "What going out in the very turn of laying down scores with no wild laid down or laid off, so that doing "
        "it with natural cards alone can be worth more; 0 means that score.one_turn_bonus holds there too."
    ),
    "score.tie": (
        'With "sudden-death" a tie for the lowest total is decided by one more deal, which everybody plays and '
        'which changes no total: of those tied the lower score in it wins; with "shared" they share the win at once.'
    ),
    "score.sudden_death_contract": (
        'The contract of the deal that decides a tie, "last" for that of the last deal: with another one the '
        "tie is decided on other melds, while all else that is set per deal is as in the last deal."
    ),
}
