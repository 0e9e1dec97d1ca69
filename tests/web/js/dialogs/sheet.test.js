/** Pulling a sheet down closes it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isSwipe } from "../../../../src/chromino/web/js/dialogs/sheet.js";

test("a sheet closes when you pull it far or fast, but not when a finger trembles", () => {
  assert.ok(isSwipe(150, 2000, 400), "far, slowly");
  assert.ok(isSwipe(60, 80, 400), "fast, not far");
  assert.ok(!isSwipe(60, 1000, 400), "neither far nor fast");
  assert.ok(!isSwipe(10, 5, 400), "a tremble");
  assert.ok(!isSwipe(-200, 100, 400), "upward");
});
