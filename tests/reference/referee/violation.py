"""What the referee says when a rule is broken."""


class ViolationError(Exception):
    """One broken rule: what, and the section of RULES or FORMATS that says so."""


def need(condition, what, source):
    """Raise a ViolationError unless the condition holds; ``source`` is such as ``"RULES 3"``."""
    if not condition:
        raise ViolationError(f"{what} ({source})")
