/**
 * Loaded on the first visit only: the service worker didn't exist yet when this page's files were fetched, so this tells
 * it which files to cache. Then the page opens even if the server can't be reached.
 */

const { serviceWorker } = navigator;
if (!serviceWorker.controller)
  await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
serviceWorker.controller?.postMessage(["/"]);

const observer = new PerformanceObserver((list) => {
  const files = list.getEntries().map(({ name }) => new URL(name));
  const mine = files.filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith("/api/"));
  serviceWorker.controller?.postMessage(mine.map(({ pathname }) => pathname));
});
observer.observe({ type: "resource", buffered: true });

export {};
