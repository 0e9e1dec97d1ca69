"""Lists of names, such as "Ada, Bob, and Cy", in five languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_STARTS_WITH_I_SOUND = re.compile(r"[ií]|h[ií](?![aeo])", re.IGNORECASE)
"""For Spanish: this matches Inés and Hilario, but not Hielo."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How one language lists names."""

    separator: str
    conjunction: str
    serial_conjunction: str = ""
    """What comes before the last of three or more names. If empty, it's `conjunction`."""
    conjunction_before_i: str = ""
    """What comes before the final name if it begins with the sound of i. If empty, it's `conjunction`."""

    def join(self, names: Sequence[str]) -> str:
        """The names in one text.

        >>> LISTINGS["en"].join(["Ada", "Bob", "Cy"])
        'Ada, Bob, and Cy'
        """
        *others, last = names or [""]
        if not others:
            return last
        link = self.serial_conjunction if self.serial_conjunction and len(others) > 1 else self.conjunction
        if self.conjunction_before_i and _STARTS_WITH_I_SOUND.match(last):
            link = self.conjunction_before_i
        return self.separator.join(others) + link + last


LISTINGS = {
    "en": Listing(separator=", ", conjunction=" and ", serial_conjunction=", and "),
    "fr": Listing(separator=", ", conjunction=" et "),
    "es": Listing(separator=", ", conjunction=" y ", conjunction_before_i=" e "),
    "ca": Listing(separator=", ", conjunction=" i "),
    "zh-Hant": Listing(separator="、", conjunction="和"),
}
