"""Tables of the documentation that are made from the source, between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shanghai_sim.policies.parameters import PARAMETERS
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.policies.policy import preset_names as policy_names
from shanghai_sim.rules.kinds import Choice, Real, Whole
from shanghai_sim.simulation import columns as c
