"""shanghai-sim: what is good play, and what is a good rule, in Shanghai Rummy?"""
from shanghai_sim.errors import *  # noqa
from shanghai_sim.errors import InputError, RulesError
from shanghai_sim.rules.evaluate import contract_distance, find_contract
