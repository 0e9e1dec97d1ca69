/** Parts of the lesson page: the bar of steps, the bag, and the screen after the last step. */

import { h, keyed, setAttribute, setLabel } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { linkTo } from "../page/links.js";
import { problemLine, showProblem } from "../page/problem.js";
import { startGame } from "../server/dealing.js";
import { quickGame } from "../start/quick_game.js";
import { boundsOf, parseTable } from "../table/geometry.js";
import { UNIT } from "../table/tile_art.js";

/** @typedef {import("./lesson_page.js").LessonPage} LessonPage */
/** @typedef {import("../table/camera.js").Box} Box */

const MAX_SCALE = 1.5; // Squares are at most 60 px wide.

/** Show which step is open and which are done. @param {LessonPage} page */
export function showSteps(page) {
  keyed(
    page.bar,
    page.mainSteps(),
    ({ name }) => name,
    (step) => {
      const number = h("span", { "aria-hidden": "true" });
      return h("li", {}, h("button", { type: "button", class: "step", onclick: () => page.openStep(step) }, number));
    },
    (item, step, index) => {
      const button = /** @type {HTMLButtonElement} */ (item.firstElementChild);
      const done = page.done.includes(step.name);
      button.classList.toggle("done", done);
      setAttribute(button, "aria-current", step === page.step ? "step" : null);
      setLabel(button, done ? "learn.step_done" : "learn.step", { n: index + 1, name: t(`learn.${step.name}`) });
      const number = /** @type {HTMLElement} */ (button.firstElementChild);
      number.textContent = done && step !== page.step ? "✓" : String(index + 1);
    },
  );
}

/**
 * Center the tiles and make them as large as possible, with room for all legal places.
 * @param {LessonPage} page @param {boolean} smooth
 */
export function frameTable({ over, placing, table, view }, smooth) {
  const laid = parseTable(view?.table ?? "");
  const shown = [...laid, ...(over ? [] : placing.legal)];
  if (!shown.length || !table.clientWidth) return;
  const { left, top, width, height } = centered(boundsOf(laid.length ? laid : shown), boundsOf(shown));
  const margin = over || placing.legal.length ? 0 : 2; // In squares: room for tiles that come later.
  const scale = Math.min(table.clientWidth / (width + 1 + margin), table.clientHeight / (height + 2.6 + margin)) / UNIT;
  table.follows = false;
  table.center([left + width / 2, top + height / 2], Math.min(scale, MAX_SCALE), smooth);
}

/**
 * The smallest box that contains `whole` and has the same center as `middle`.
 * @param {Box} middle @param {Box} whole @returns {Box}
 */
function centered(middle, whole) {
  const [x, y] = [middle.left + middle.width / 2, middle.top + middle.height / 2];
  const width = 2 * Math.max(x - whole.left, whole.left + whole.width - x);
  const height = 2 * Math.max(y - whole.top, whole.top + whole.height - y);
  return { left: x - width / 2, top: y - height / 2, width, height };
}

/**
 * Show the bag, which pulses when a tile has to be drawn.
 * @param {LessonPage} page @param {import("../types.js").View} view
 */
export function showBag({ bag, bagCount, over, placer }, view) {
  const mustDraw = !over && !placer.sending && view.actions[0] === "draw";
  bag.classList.toggle("pulses", mustDraw);
  setAttribute(bag, "aria-disabled", mustDraw ? null : "true");
  setLabel(bag, mustDraw ? "bag.draw" : "bag.label", { n: view.bag_count });
  bagCount.textContent = String(view.bag_count);
}

/** The screen after the last step, which offers a first game, more steps, or a restart. @param {LessonPage} page */
export function makeEnding(page) {
  const problem = problemLine();
  return h(
    "div",
    { class: "lesson-end", hidden: true },
    h("button", {
      type: "button",
      class: "button primary big",
      t: "learn.play",
      onclick: () => void playNow(page, problem),
    }),
    problem,
    h("h2", { t: "learn.more" }),
    h("div", { class: "ways" }, ...page.steps.filter(({ extra }) => extra).map((step) => stepButton(page, step))),
    h(
      "div",
      { class: "buttons" },
      linkTo(page.go, "/rules", { class: "button", t: "learn.rules" }),
      h("button", { type: "button", class: "button", t: "learn.restart", onclick: () => page.restart() }),
    ),
  );
}

/** @param {LessonPage} page @param {import("./lesson_page.js").Step} step */
function stepButton(page, step) {
  const words = [h("strong", { t: `learn.${step.name}` }), h("span", { t: `learn.${step.name}_about` })];
  const button = h("button", { type: "button", class: "way" }, ...words);
  button.addEventListener("click", () => {
    page.openStep(step);
    page.teacher.focus();
  });
  return button;
}

/** Start a game against the easiest bot. @param {LessonPage} page @param {HTMLElement} problem */
async function playNow(page, problem) {
  try {
    page.go(`/game/${await startGame(quickGame(1))}`);
  } catch (error) {
    showProblem(problem, error);
  }
}

/**
 * A state for `<chromino-seats>`. No seat is "me" in it, so that the learner's last tile is shown like anyone else's.
 * @param {import("../types.js").View} view @returns {import("../types.js").State}
 */
export function stateOf(view) {
  const common = { mine: false, bot: null, level: null, present: true, has_left: false, stand_in_in: null };
  const seats = [
    { ...common, kind: "person", name: t("learn.you"), mine: true },
    { ...common, kind: "bot", name: "", bot: "snail", level: 1 },
  ];
  const state = { view: { ...view, me: null }, seats, latecomers: { waiting: [] } };
  return /** @type {import("../types.js").State} */ (/** @type {unknown} */ (state));
}

/** "2 matching edges: red next to red and green next to green." @param {import("../types.js").Contact[]} contacts */
export function contactWords(contacts) {
  const pairs = contacts.map(({ color, neighbor_color }) =>
    t("refusal.clash_pair", { one: t(`color.${color}`), other: t(`color.${neighbor_color}`) }),
  );
  return contacts.length ? t("learn.contacts_are", { n: contacts.length, pairs: listed(pairs) }) : "";
}
