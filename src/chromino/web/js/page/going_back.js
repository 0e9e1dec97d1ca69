/** The stack behind the browser's Back button, which closes what's open over a page before it leaves the page. */

import { BackStack } from "./back_stack.js";

export const backStack = new BackStack(history);
