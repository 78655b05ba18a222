"""After an update nothing may be worse than before; what was amiss before is no reason."""

from __future__ import annotations

from controller.install.updating.standing import Standing, Unit, is_lost, running, worse

UP = Unit("active")
DOWN = Unit("inactive")


def test_as_before_is_not_worse() -> None:
    before = Standing(
        {"cutcard-table": UP, "cutcard-room": DOWN}, room=None, failing=frozenset({"gpio, pins"})
    )
    assert running(before) == ("cutcard-table",)
    assert worse(before, before) == ()
    better = Standing({"cutcard-table": UP, "cutcard-room": UP}, room=True)
    assert worse(before, better) == ()


def test_each_thing_that_is_worse_is_said() -> None:
    before = Standing({"cutcard-table": UP}, room=True, failing=frozenset({"gpio, pins"}))
    now = Standing(
        {"cutcard-table": Unit("activating")},
        room=False,
        failing=frozenset({"gpio, pins", "disk, space"}),
    )
    assert worse(before, now) == (
        "cutcard-table does not run",
        "the room's pages do not answer that all is well",
        "doctor finds amiss: disk, space",
    )
    assert worse(before, Standing({}, room=True)) == ("cutcard-table does not run",)


def test_pages_that_did_not_answer_before_need_not_now() -> None:
    assert worse(Standing({}, room=False), Standing({}, room=False)) == ()


def test_nobody_waits_for_what_has_given_up() -> None:
    assert is_lost("a", Standing({"a": Unit("failed")}))
    assert is_lost("a", Standing({"a": Unit("activating", 3)}))
    assert is_lost("a", Standing({}))
    assert not is_lost("a", Standing({"a": Unit("activating", 1)}))
