/** The way to the lesson: its script, words and looks are fetched when somebody wants to learn. */

import { lessons } from "../server/api.js";
import { h } from "../browser/dom.js";
import { addPart } from "../language/i18n.js";
import { LessonPage } from "./lesson_page.js";

const STYLE = "/css/learn.css";

/** Fetch what the lesson needs; the page can be made then. @param {HTMLElement} root @param {(path: string) => void} go */
export async function loadLesson(root, go) {
  const [steps] = await Promise.all([lessons(), addPart("learn"), addStyle()]);
  return () => new LessonPage(root, go, steps);
}

async function addStyle() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  const link = h("link", { rel: "stylesheet", href: STYLE });
  await new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  });
}
