"""Reports: words come from templates, every number from the tables beside them."""

from __future__ import annotations

import re

import pytest

from analyses.report import REPORTS, TEMPLATES, fill, read_rows

#: What Jinja fills in, and what only names something: code, links.
NOT_TEXT = re.compile(r"{{.*?}}|{%.*?%}|`[^`]*`|\]\([^)]*\)", re.DOTALL)


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.md")), ids=lambda path: path.stem)
def test_a_template_holds_no_number(template):
    text = NOT_TEXT.sub("", template.read_text(encoding="utf-8"))
    assert re.findall(r"\d+", text) == []


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.md")), ids=lambda path: path.stem)
def test_a_report_is_what_its_tables_say(template):
    """The page that is kept is the template filled from the tables that are kept."""
    folder = REPORTS / template.stem
    tables = {path.stem: read_rows(path) for path in sorted(folder.glob("*.csv"))}
    scope = {row["key"]: row["value"] for row in tables.pop("scope")}
    page = fill(template.read_text(encoding="utf-8"), scope=scope, **tables)
    assert page == (folder / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\(([\w.]+\.svg)\)", page):
        assert (folder / name).stat().st_size > 1_000


def test_values_of_a_table(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b,c,d\n1,2.5,,True\nx,-3,nan-like,False\n")
    assert read_rows(path) == [
        {"a": 1, "b": 2.5, "c": None, "d": True},
        {"a": "x", "b": -3, "c": "nan-like", "d": False},
    ]
    row = {"low": -1.25, "high": 2.0}
    filled = fill(
        "{{ n | count }} {{ x | signed }} {{ x | percent(0) }} {{ row | interval }}", n=1234, x=0.5, row=row
    )
    assert filled == "1,234 +0.5 50 % -1.2 to +2.0"


def test_an_unknown_name_in_a_template_is_an_error():
    with pytest.raises(Exception, match="is undefined"):
        fill("{{ nothing }}")
