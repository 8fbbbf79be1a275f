"""Every Python block in README and docs runs; where it is a session it answers what the page shows."""

import doctest

import pytest

from tests.docs import pages


@pytest.mark.parametrize("page", pages.PAGES)
def test_python_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": page}
    for block in pages.blocks((pages.ROOT / page).read_text(encoding="utf-8")):
        pages.write_file(block, tmp_path)
        if block.kind != "python":
            continue
        code = "\n".join(block.lines) + "\n"
        if ">>> " not in code:
            exec(compile(code, page, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(code, names, page, page, block.first)
        told = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append, clear_globs=False)
        assert not told, "".join(told)
        names = test.globs
