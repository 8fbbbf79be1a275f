"""What the package offers: a sorted list, each name of which is there, and named in the documentation."""

import shanghai_sim as ss
from tests.docs import pages


def test_the_list_is_sorted_and_complete():
    assert sorted(ss.__all__) == sorted(set(ss.__all__))
    assert set(ss.__all__) == set(ss._HOMES) | {"ENGINE_VERSION", "__version__"}
    assert all(getattr(ss, name) is not None for name in ss.__all__)
    assert set(ss.__all__) <= set(dir(ss))


def test_every_function_is_documented():
    text = "".join((pages.ROOT / page).read_text(encoding="utf-8") for page in pages.PAGES)
    functions = [name for name in ss._HOMES if name[0].islower()]
    assert [name for name in functions if f"ss.{name}(" not in text] == []
