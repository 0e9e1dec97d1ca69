/** Notifications: from the page while it's hidden, and by Web Push while it's closed. The service worker shows them. */

import { changeSettings, settings } from "../browser/settings.js";
import { pushKey, pushOff, pushOn } from "./api.js";

/** Browsers offer notifications only on secure pages, or if the server is on the same device. */
export const canNotify =
  globalThis.isSecureContext === true && "serviceWorker" in navigator && "Notification" in globalThis;

/** Quiet hours to choose from, in minutes after midnight. @type {Record<string, [number, number]>} */
export const QUIET = { none: [0, 0], "21-8": [1260, 480], "22-7": [1320, 420], "23-9": [1380, 540] };

/** Ask the browser for permission, then subscribe. @returns {Promise<boolean>} are notifications allowed? */
export async function turnOnNotifications() {
  if ((await Notification.requestPermission()) !== "granted") return false;
  changeSettings({ notify: true });
  await subscribe().catch(() => {}); // Even without a push service, a hidden page can notify.
  return true;
}

export async function turnOffNotifications() {
  changeSettings({ notify: false, push: "" });
  const subscription = await currentSubscription();
  if (!subscription) return;
  await pushOff(subscription.endpoint).catch(() => {});
  await subscription.unsubscribe();
}

/** Send the subscription again after its quiet hours or its address has changed. */
export async function renewSubscription() {
  if (settings.notify && settings.push) await subscribe().catch(() => {});
}

/** Catch up with the browser: it may have ended the subscription, or changed the address that receives messages. */
export async function catchUp() {
  if (!canNotify || !settings.push) return;
  const subscription = await currentSubscription();
  if (!subscription) changeSettings({ notify: false, push: "" });
  else if (subscription.endpoint !== settings.push) await renewSubscription();
}

/**
 * Show a notification if the page is hidden.
 * @param {string} title @param {string} body @param {string} game
 */
export async function notify(title, body, game) {
  if (!canNotify || !settings.notify || !document.hidden || Notification.permission !== "granted") return;
  const registration = await navigator.serviceWorker.ready;
  await registration.showNotification(title, { body, tag: game, icon: "/icon.svg", data: `/game/${game}` });
}

async function subscribe() {
  const key = await pushKey();
  if (!key) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  const [quiet_from, quiet_to] = QUIET[settings.quiet] ?? [0, 0];
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = document.documentElement.lang;
  await pushOn({ endpoint, p256dh, auth, language, timezone, quiet_from, quiet_to });
  changeSettings({ push: endpoint });
}

async function currentSubscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.pushManager?.getSubscription() ?? null;
}
