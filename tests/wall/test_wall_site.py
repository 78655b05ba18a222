"""A wall that is told no site hears the room that is told none."""

from __future__ import annotations

from controller.contract.messages import DEFAULT_SITE
from controller.room.settings import load_room_config
from display.wall.options import parser


def test_wall_and_room_are_of_one_site_where_none_is_named() -> None:
    assert parser().parse_args([]).site == load_room_config(None).site == DEFAULT_SITE
