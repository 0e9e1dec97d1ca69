/** The browser's Back: closes what lies over a page, then leaves the page. */

import { BackStack } from "./back_stack.js";

export const backStack = new BackStack(history);
