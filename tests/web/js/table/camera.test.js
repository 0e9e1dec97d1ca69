import assert from "node:assert/strict";
import test from "node:test";

globalThis.document ??= /** @type {any} */ ({});
const { clamped, fitted, followed, MARGIN, shows, zoomed } = await import(
  "../../../../src/chromino/web/js/table/camera.js"
);

const UNIT = 40;
const room = { width: 1280, height: 570, above: 0, below: 0 };
const phone = { width: 390, height: 600, above: 46, below: 60 };

test("everything is in view with a margin, and squares are at most 66 pixels wide", () => {
  assert.equal(fitted({ left: 0, top: 0, width: 3, height: 1 }, room).scale * UNIT, 66);
  const box = { left: -4, top: -6, width: 9, height: 13 };
  const { scale, x, y } = fitted(box, room);
  assert.ok(Math.abs(scale * UNIT * (box.height + 2 * MARGIN) - room.height) < 1e-6);
  assert.ok(Math.abs(y + (box.top - MARGIN) * scale * UNIT) < 1e-6);
  assert.ok(Math.abs(x + (box.left + box.width / 2) * scale * UNIT - room.width / 2) < 1e-6);
});

test("no tiles are hidden by controls that cover the table", () => {
  const box = { left: 0, top: 0, width: 5, height: 20 };
  const { scale, y } = fitted(box, phone);
  assert.ok(y >= phone.above);
  assert.ok(y + 20 * scale * UNIT <= phone.height - phone.below);
});

test("the camera moves only if a tile would be out of view", () => {
  const small = { left: 0, top: 0, width: 6, height: 3 };
  const before = fitted(small, room);
  const larger = { left: 0, top: -1, width: 8, height: 5 };
  assert.ok(shows(before, larger, room));
  assert.equal(followed(before, larger, room, null), before);
  const far = { left: 0, top: -4, width: 8, height: 10 };
  const after = followed(before, far, room, null);
  assert.notEqual(after, before);
  assert.deepEqual(after, fitted(far, room));
});

test("if the table is too large, the camera looks at the last move", () => {
  const huge = { left: 0, top: 0, width: 100, height: 100 };
  const { scale, x } = fitted(huge, phone, { focus: [90, 50] });
  const middle = (phone.width / 2 - x) / (scale * UNIT);
  assert.ok(middle > 80);
});

test("panning never loses sight of the tiles", () => {
  const box = { left: 0, top: 0, width: 6, height: 6 };
  const camera = fitted(box, phone);
  const size = camera.scale * UNIT;
  const away = clamped({ ...camera, x: 10_000, y: -10_000 }, box, phone);
  assert.ok(away.x + 6 * size <= phone.width + 1e-6);
  assert.ok(away.y >= 0 - 1e-6);
  const closeUp = { scale: 3, x: 0, y: 0 };
  const large = clamped({ ...closeUp, x: 10_000 }, box, phone);
  assert.ok(large.x <= 2 * 3 * UNIT + 1e-6); // The tiles fill the view, except for two squares at most.
});

test("zooming keeps the point under the finger", () => {
  const camera = { x: 10, y: 20, scale: 1 };
  const { x, y, scale } = zoomed(camera, 2, 110, 220);
  assert.deepEqual([x, y, scale], [-90, -180, 2]);
});
