"""A recovery code in the browser: made, shown once, used on another device, replaced; and other devices signed out."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.server.sites.serving import Server
from tests.web.person import PHONE, Person

CODE = re.compile(r"^[0-9A-Z]+(-[0-9A-Z]+)+$")


def test_a_recovery_code_brings_you_back_until_it_is_replaced(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server, viewport=PHONE) as phone:
        ada.start()
        ada.go("games")
        ada.page.get_by_role("button", name="Make a recovery code").click()
        code = ada.page.locator("dialog output.code")
        expect(code).to_have_text(CODE)
        first = code.inner_text()
        expect(ada.page.get_by_role("button", name="Print")).to_be_visible()
        found = Axe().run(ada.page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        ada.page.keyboard.press("Escape")
        expect(code).to_have_count(0)  # The code is shown only once.
        claim(phone, first.lower().replace("-", " "))
        expect(phone.page.get_by_role("heading", name="In progress")).to_be_visible()
        # A new code replaces this one after you confirm.
        ada.page.get_by_role("button", name="Make a new recovery code").click()
        ada.page.get_by_role("dialog").get_by_role("button", name="Make a new recovery code").click()
        expect(code).to_have_text(CODE)
        second = code.inner_text()
        assert second != first
        ada.page.keyboard.press("Escape")
        # One button signs the phone out, and no code brings it back.
        expect(ada.page.get_by_text("your recovery code stops working, too.")).to_be_visible()
        ada.page.get_by_role("button", name="Sign out other devices").click()
        expect(ada.page.get_by_text("are signed out, and your recovery code no longer works.")).to_be_visible()
        expect(ada.page.get_by_text("You’re signed in on this device only.")).to_be_visible()
        expect(ada.page.get_by_role("button", name="Make a recovery code")).to_be_visible()
        for invalid_code in (first, second):
            claim(phone, invalid_code)
            expect(phone.page.get_by_text("That code is wrong")).to_be_visible()
        phone.errors.clear()  # The browser logs the refusal.


def claim(person: Person, code: str) -> None:
    person.go("games")
    person.page.get_by_label("Have a code? Enter it here:").fill(code)
    person.page.get_by_role("button", name="Link this device").click()
