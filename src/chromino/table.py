"""The table: the tiles placed so far, and the rules for placing more (rule 4, and 6.3 for Junior).

`refusal` says why a placement isn't allowed, `placements` lists all legal ones, and `place` makes one. Points are in
scoring.py, and turns in game.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from chromino.boards import Boards
from chromino.errors import IllegalPlacement, ParseError
from chromino.refusal import Contact, Reason, Refusal
from chromino.rules import CLASSIC, Rules
from chromino.tiles import WILD, Placement, Square, Tile

# The eight squares around a tile, each as the index of the tile's square that it touches, and its offset (dx, dy) from
# the tile's first square.
_ACROSS = ((0, -1, 0), (0, 0, -1), (0, 0, 1), (1, 1, -1), (1, 1, 1), (2, 2, -1), (2, 2, 1), (2, 3, 0))
_DOWN = tuple((number, dy, dx) for number, dx, dy in _ACROSS)
# The same squares, each as its offset, and whether it touches a short edge.
_NEXT_ACROSS = tuple((dx, dy, dy == 0) for _, dx, dy in _ACROSS)
_NEXT_DOWN = tuple((dx, dy, dx == 0) for _, dx, dy in _DOWN)

FREE_SPREAD = 1000
"""`lay` accepts a tile up to this many squares farther from the first tile than the tiles laid so far could reach in a
straight line. Without a limit, a few characters of text could use up all memory: boards grow with the distance."""
_MAX_START_DISTANCE = 10**8  # How far from the origin the first tile can be. A placement's text has a digit to spare.


class Table:
    """An immutable table. Two tables are equal if the same placements were made in the same order.

    >>> table = Table.parse("Y*R@0,0> GRR@1,1>")
    >>> [str(placement) for placement in table.placements(Tile.parse("RRR"))]
    ['RRR@1,-1>', 'RRR@3,0>', 'RRR@2,2>', 'RRR@3,-2v']
    """

    __slots__ = ("_boards", "_laid", "_squares", "_text")

    _laid: tuple[Placement, ...]
    _squares: dict[Square, tuple[str, int]]
    _boards: Boards | None
    _text: str | None
    """The text of the table, made on first use and then extended with each tile."""

    def __init__(self) -> None:
        self._laid = ()
        self._squares = {}
        self._boards = None
        self._text = None

    @classmethod
    def parse(cls, text: str) -> Table:
        """A table from its placements, separated by spaces.

        Overlaps are refused, but other rules may be broken, as in an illustration, a Junior table or a conundrum.

        >>> len(Table.parse("Y*R@0,0> GRR@1,1>"))
        2
        """
        if not isinstance(text, str):
            raise ParseError(f"a table must be text with placements, not {type(text).__name__}")
        table = cls()
        for word in text.split():
            placement = Placement.parse(word)
            try:
                table = table.lay(placement)
            except IllegalPlacement as error:
                raise ParseError(f"{placement} can't be on this table: {error}") from None
        return table

    @property
    def laid(self) -> tuple[Placement, ...]:
        """The placements in the order they were made."""
        return self._laid

    def color_at(self, square: Square) -> str | None:
        """The color on a square (or WILD); None if the square is free.

        >>> Table.parse("Y*R@0,0>").color_at((2, 0))
        'R'
        """
        color_and_index = self._squares.get(square)
        return color_and_index and color_and_index[0]

    def contacts(self, placement: Placement) -> tuple[Contact, ...]:
        """The edges that the placement would share with tiles on the table, matching or not."""
        colors, x, y, down = placement
        taken = self._squares
        contacts = []
        for number, dx, dy in _DOWN if down else _ACROSS:
            neighbor = x + dx, y + dy
            if neighbor in taken:
                square = (x, y + number) if down else (x + number, y)
                contacts.append(Contact(square, colors[number], neighbor, *taken[neighbor]))
        return tuple(contacts)

    def neighbors(self, placement: Placement) -> list[tuple[int, bool]]:
        """For each contact, the index of the other tile, and whether the contact is at a short edge of the placement.

        This says less than `contacts` but is faster, which matters for counting points.

        >>> Table.parse("Y*R@0,0> GRR@1,1>").neighbors(Placement.parse("YBR@3,-2v"))
        [(0, False), (1, True)]
        """
        _, x, y, down = placement
        taken = self._squares
        return [
            (taken[neighbor][1], short)
            for dx, dy, short in (_NEXT_DOWN if down else _NEXT_ACROSS)
            if (neighbor := (x + dx, y + dy)) in taken
        ]

    def refusal(self, placement: Placement, rules: Rules = CLASSIC) -> Refusal | None:
        """None if the rules allow the placement; otherwise, why they don't.

        >>> print(Table.parse("PRR@0,0>").refusal(Placement.parse("GRR@0,1>")))
        clash: green on 0,1 touches purple on 0,0
        """
        if overlap := self._overlap(placement):
            return overlap
        contacts = self.contacts(placement)
        if clashes := tuple(contact for contact in contacts if not contact.matches):
            clashing = [square for contact in clashes for square in (contact.square, contact.neighbor)]
            return Refusal(Reason.CLASH, tuple(dict.fromkeys(clashing)), clashes)
        if rules.joining == "ends":
            return self._not_joined(placement, contacts)
        if len(contacts) < 2:
            return Refusal(Reason.TOO_FEW_CONTACTS, placement.squares, contacts, needed=2)
        return None

    def _overlap(self, placement: Placement) -> Refusal | None:
        taken = tuple(square for square in placement.squares if square in self._squares)
        return Refusal(Reason.OVERLAP, taken) if taken else None

    def _not_joined(self, placement: Placement, contacts: tuple[Contact, ...]) -> Refusal | None:
        """Why Junior refuses the placement, or None. Junior requires exactly one contact, from joint to joint (6.3)."""
        if not contacts:
            return Refusal(Reason.TOO_FEW_CONTACTS, placement.squares, needed=1)
        if stray := tuple(contact for contact in contacts if not self._joins(placement, contact)):
            return Refusal(Reason.NOT_BY_AN_END, tuple(contact.square for contact in stray), stray)
        if len(contacts) > 1:
            return Refusal(Reason.TOUCHES_MORE, tuple(contact.square for contact in contacts), contacts)
        return None

    def _joins(self, placement: Placement, contact: Contact) -> bool:
        """Is the contact from joint to joint? A joint is a short edge or a wild center."""
        neighbor = self._laid[contact.neighbor_index]
        return (contact.is_vertical == placement.down or contact.color == WILD) and (
            contact.is_vertical == neighbor.down or contact.neighbor_color == WILD
        )

    def placements(self, tile: Tile, rules: Rules = CLASSIC) -> list[Placement]:
        """Every legal placement of the tile, each once, in a fixed order.

        >>> Table.parse("P*Y@0,0>").placements(Tile.parse("YYG"), Rules.junior())[0]
        Placement.parse('YYG@3,0>')
        """
        if self._boards is None:
            return []
        if rules.joining == "ends":
            return sorted(
                self._joined(tile, rules), key=lambda placed: (placed.down, placed.y, placed.x, placed.colors)
            )
        return self._boards.places(tile)

    def fits(self, tile: Tile, rules: Rules = CLASSIC) -> bool:
        """Is there any legal placement of the tile? Faster than listing them all.

        >>> Table.parse("Y*R@0,0>").fits(Tile.parse("BBB"))
        False
        """
        if self._boards is None:
            return False
        if rules.joining == "ends":
            return next(self._joined(tile, rules), None) is not None
        return self._boards.fits(tile)

    def _joined(self, tile: Tile, rules: Rules) -> Iterator[Placement]:
        """Junior's legal placements. At each free joint, a tile can go in line, either way around; a chameleon can also
        go crosswise, joined by its wild center."""
        for x, y, dx, dy in self._free_joints():
            for colors in tile.ways:
                # In line, the tile continues from the joint; going left or up, its last square is at the joint.
                back = 2 if dx + dy < 0 else 0
                candidates = [Placement(colors, x + back * dx, y + back * dy, dy != 0)]
                if colors[1] == WILD:
                    candidates.append(Placement(colors, x - abs(dy), y - abs(dx), dx != 0))
                for candidate in candidates:
                    if self.refusal(candidate, rules) is None:
                        yield candidate

    def _free_joints(self) -> Iterator[tuple[int, int, int, int]]:
        """Each free square next to a joint, with the direction that leads there."""
        for laid in self._laid:
            (first, middle, last), down = laid.squares, laid.down
            dx, dy = (0, 1) if down else (1, 0)
            joints = [(first, -dx, -dy), (last, dx, dy)]
            if laid.colors[1] == WILD:
                joints += [(middle, -dy, -dx), (middle, dy, dx)]
            for (x, y), step_x, step_y in joints:
                if (x + step_x, y + step_y) not in self._squares:
                    yield x + step_x, y + step_y, step_x, step_y

    def place(self, placement: Placement, rules: Rules = CLASSIC) -> Table:
        """A new table with this placement on it. An illegal one raises `IllegalPlacement`.

        >>> str(Table.parse("Y*R@0,0>").place(Placement.parse("GRR@1,1>")))
        'Y*R@0,0> GRR@1,1>'
        """
        boards = self._boards if rules.joining == "contacts" else None
        allowed = boards is not None and boards.allows(placement)  # `refusal` takes longer, because it says why not.
        if not allowed and (refusal := self.refusal(placement, rules)):
            raise IllegalPlacement(refusal)
        return self._with(placement)

    def lay(self, placement: Placement) -> Table:
        """A new table with the tile on it, whatever the rules say, as long as its squares are free.

        >>> str(Table().lay(Placement.parse("Y*R@0,0>")))
        'Y*R@0,0>'
        """
        if overlap := self._overlap(placement):
            raise IllegalPlacement(overlap)
        _, x, y, _ = placement
        if self._laid:
            start, spread = self._laid[0], FREE_SPREAD + 3 * len(self._laid)
            too_far = max(abs(x - start.x), abs(y - start.y)) > spread
        else:
            too_far = max(abs(x), abs(y)) > _MAX_START_DISTANCE
        if too_far:
            raise IllegalPlacement(Refusal(Reason.TOO_FAR, placement.squares))
        return self._with(placement)

    def _with(self, placement: Placement) -> Table:
        table = Table()
        table._laid = (*self._laid, placement)
        new_squares = zip(placement.squares, placement.colors, strict=True)
        table._squares = self._squares | {square: (color, len(self._laid)) for square, color in new_squares}
        table._boards = self._boards.with_tile(placement, self._laid) if self._boards else Boards.of((placement,))
        if self._text:
            table._text = f"{self._text} {placement}"
        return table

    def __str__(self) -> str:
        if self._text is None:
            self._text = " ".join(map(str, self._laid))
        return self._text

    def __repr__(self) -> str:
        return f"Table.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self._laid == other._laid if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._laid)

    def __len__(self) -> int:
        return len(self._laid)
