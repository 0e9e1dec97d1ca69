/** The line that says what went wrong. */

import { h, setText } from "../browser/dom.js";
import { ApiError } from "../server/api.js";

/** The catalog key for what went wrong. @param {unknown} error */
export function problemKey(error) {
  return `problem.${error instanceof ApiError ? error.code : "failed"}`;
}

/** An empty line, hidden until there's a problem. */
export function problemLine() {
  return h("p", { class: "problem", role: "alert", hidden: true });
}

/** @param {HTMLElement} line @param {unknown} error */
export function showProblem(line, error) {
  line.hidden = false;
  setText(line, problemKey(error));
}
