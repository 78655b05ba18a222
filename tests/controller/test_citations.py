"""What is read of the books to look rules up is what the rules themselves go by."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import open_library
from controller.library.citations import Citations, CitingEntry, read_citations


def test_every_book_cites_what_its_rulings_and_prompts_rest_on() -> None:
    library, read = open_library(config_dir()), read_citations(config_dir())
    assert list(read) == library.ids
    for name, citations in read.items():
        book = library.book(name)
        entries = tuple(CitingEntry(each.finding, each.cites) for each in book.entries)
        assert citations == Citations(entries, book.prompts), name


@pytest.mark.parametrize(
    ("text", "said"), [("ruling = 3", "Expected `array`"), ("ruling = [", "Invalid value")]
)
def test_what_is_no_book_is_named_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "rulebooks" / "house.toml"
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(ConfigError, match=f"house.toml: .*{said}"):
        read_citations(tmp_path)
