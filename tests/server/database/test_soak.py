"""People play, the server is killed, and the game continues: a short `make soak`."""

from __future__ import annotations

import pytest

from tests.soak import BACK_WITHIN, soak

KILLS = 5


@pytest.mark.long
@pytest.mark.heavy
def test_people_keep_playing_while_the_server_is_killed_again_and_again() -> None:
    result = soak(kills=KILLS, clients=12, between=1.0)
    assert not result.complaints, f"seed {result.seed}: {result.complaints}"
    assert result.kills == KILLS
    assert result.acknowledged > 100
    assert result.slowest_return < BACK_WITHIN
