import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FACES, faceByName, facesOf } from "../../../../src/chromino/web/js/page/faces.js";

test("there are a dozen faces, the same ones the server accepts", () => {
  const bounds = readFileSync("src/chromino/messages/bounds.py", "utf8");
  const [, list = ""] = /Face = Literal\[([^\]]*)\]/.exec(bounds) ?? [];
  assert.deepEqual(
    FACES,
    [...list.matchAll(/"(\w+)"/g)].map(([, face]) => face),
  );
  assert.equal(FACES.length, 12);
});

test("people get the face they chose, and others get one that nobody at the table has", () => {
  const names = Array.from({ length: 8 }, () => ({ name: "Ada" }));
  assert.equal(new Set(facesOf(names)).size, 8);
  assert.deepEqual(
    facesOf([
      { name: "Ada", face: "cap" },
      { name: "Bob", face: "cap" },
    ]),
    ["cap", "cap"],
  );
  assert.equal(facesOf([{ name: "Ada", face: faceByName("Bob") }, { name: "Bob" }])[1] === faceByName("Bob"), false);
});

test("a name has the same face every time, and a face from a later version counts as none", () => {
  assert.equal(faceByName("Ada"), faceByName(" Ada "));
  assert.deepEqual(facesOf([{ name: "Ada", face: /** @type {any} */ ("robot") }]), [faceByName("Ada")]);
  assert.ok(FACES.includes(faceByName("")));
});

test("bots have their own faces, programs keep their letter, and free chairs have no face", () => {
  const seats = [
    { name: "Fox", bot: "fox" },
    { name: "Fox", level: 3 },
    { name: "Ada", program: true },
    { name: "", kind: "free" },
  ];
  assert.deepEqual(facesOf(seats), [null, null, null, null]);
});
