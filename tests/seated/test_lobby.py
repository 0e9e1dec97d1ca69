"""No table can be pushed out of the lobby."""

from __future__ import annotations

import pytest

from chromino.seated.lobby import MAX_PER_HOST, MAX_TABLES, OpenTable, lobby
from tests.seated.tables import NOW

pytestmark = pytest.mark.rules

HONEST = OpenTable("honest", "ada", 1, True, "2026-01-01")


def many(hosts: int, each: int, origins: int = 1, *, is_occupied: bool = True) -> list[OpenTable]:
    """An attacker's tables, all opened later than the honest one."""
    return [
        OpenTable(f"table-{host}-{number}", f"host-{host}", 100 + host % origins, is_occupied, f"2026-02-{number:02}")
        for host in range(hosts)
        for number in range(each)
    ]


def shown_in(tables: list[OpenTable], turns: int) -> int:
    """How many times out of `turns` the honest table is shown."""
    return sum("honest" in lobby(tables, NOW + 10 * turn) for turn in range(turns))


def test_tables_with_someone_present_come_first_then_the_latest() -> None:
    tables = [OpenTable(str(number), f"host-{number}", number, number == 1, f"2026-{number}") for number in range(4)]
    assert lobby(tables, NOW) == ["1", "3", "2", "0"]


def test_only_a_few_tables_per_host_are_shown() -> None:
    assert lobby(many(1, 9), NOW) == [f"table-0-{number}" for number in (8, 7, 6)]
    assert MAX_PER_HOST == 3


def test_everyone_gets_one_table_before_anyone_gets_two() -> None:
    found = lobby([*many(3, 3), HONEST, OpenTable("second", "ada", 1, True, "2025")], NOW)
    assert found.index("honest") < 2
    assert found.index("second") < 4
    assert len(found) == 11


@pytest.mark.parametrize("hosts", [17, 60, 600])
def test_many_people_at_one_address_push_nobody_out(hosts: int) -> None:
    tables = [*many(hosts, 3), HONEST]
    for turn in range(20):
        found = lobby(tables, NOW + 10 * turn)
        assert len(found) == min(MAX_TABLES, len(tables))
        assert found.index("honest") < 2


def test_many_hosts_do_not_push_out_someone_who_shares_their_address() -> None:
    tables = [*many(17, 3), OpenTable("honest", "ada", 100, True, "2026-01-01")]
    assert shown_in(tables, 20) == 20


def test_a_few_addresses_push_nobody_out() -> None:
    assert shown_in([*many(490, 3, origins=49), HONEST], 20) == 20


def test_when_there_are_too_many_addresses_they_take_turns() -> None:
    assert shown_in([*many(100, 3, origins=100), HONEST], 60) > 20


def test_empty_tables_never_push_out_one_with_someone_present() -> None:
    assert shown_in([*many(100, 3, origins=100, is_occupied=False), HONEST], 20) == 20
