/** The way to the lesson: its script, words and looks are fetched when somebody wants to learn. */

import { addStyle } from "../browser/style.js";
import { addPart } from "../language/i18n.js";
import { lessons } from "../server/api.js";
import { LessonPage } from "./lesson_page.js";

/** Fetch what the lesson needs; the page can be made then. @param {(path: string) => void} go */
export async function loadLesson(go) {
  const [steps] = await Promise.all([lessons(), addPart("learn"), addStyle("/css/learn.css")]);
  return () => new LessonPage(go, steps);
}
