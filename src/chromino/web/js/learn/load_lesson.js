/** Loads the lesson. Its steps, words and styles are fetched only when you open it. */

import { addStyle } from "../browser/style.js";
import { addPart } from "../language/i18n.js";
import { lessonSteps } from "../server/api.js";
import { LessonPage } from "./lesson_page.js";

/** Fetch everything the lesson needs, and return a function that makes its page. @param {(path: string) => void} go */
export async function loadLesson(go) {
  const [steps] = await Promise.all([lessonSteps(), addPart("learn"), addStyle("/css/pages/learn.css")]);
  return () => new LessonPage(go, steps);
}
