/** The browser's Back: closes what's on top of a page, then leaves the page. */

import { BackStack } from "./back_stack.js";

export const backStack = new BackStack(history);
