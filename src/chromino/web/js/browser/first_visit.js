/**
 * Loaded on the first visit only: the service worker didn't exist yet when this page's files were fetched, so this tells
 * it which files to cache. Then the page opens even if the server can't be reached.
 */

const { active } = await navigator.serviceWorker.ready;
const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
const mine = files.filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith("/api/"));
active?.postMessage([...new Set(["/", ...mine.map(({ pathname }) => pathname)])]);

export {};
