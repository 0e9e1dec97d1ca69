/** Calls to the server. A refusal becomes an `ApiError` with a code that the catalogs translate. */

export class ApiError extends Error {
  /** @param {string} code @param {string} [detail] */
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
  }
}

/**
 * Send a request. If the server refuses it, throw an `ApiError`.
 * @param {"GET" | "POST"} method @param {string} path @param {unknown} [body]
 */
async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body ? JSON.stringify(body) : null,
  }).catch(() => {
    throw new ApiError("away");
  });
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => null);
  throw new ApiError(problem?.code ?? "failed", problem?.text);
}

/**
 * Send a request, and read the answer as JSON.
 * @param {"GET" | "POST"} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function call(method, path, body) {
  const answer = await ask(method, path, body);
  return answer.status === 204 ? null : answer.json().catch(() => null);
}

/** @param {object} setup @returns {Promise<import("../types.js").Created>} */
export async function createGame(setup) {
  return call("POST", "/api/games", setup);
}

/** @param {object} setup @returns {Promise<import("../types.js").Created>} */
export async function createGathering(setup) {
  return call("POST", "/api/gatherings", setup);
}

/** @returns {Promise<import("../types.js").Gathering[]>} gatherings that are open to anyone */
export async function lobby() {
  return (await call("GET", "/api/gatherings")).gatherings;
}

/** @param {string} game @returns {Promise<import("../types.js").Gathering>} */
export async function gatheringOf(game) {
  return call("GET", `/api/gatherings/${game}`);
}

/** The storage key for when a game with others last ended in this browser. A rematch may be offered after that. */
export const PLAYED_WITH_OTHERS = "chromino.played-with-others";

/** Rematches that are waiting for my answer. @returns {Promise<import("../types.js").RematchOffer[]>} */
export async function myOffers() {
  return (await call("GET", "/api/offers")).rematches;
}

/**
 * A link to a finished game, and who can open it.
 * @param {string} game @returns {Promise<import("../types.js").GameLink>}
 */
export async function linkToGame(game) {
  return call("POST", `/api/games/${game}/share`);
}

/**
 * The link to a gathering, and who can open it.
 * @param {string} game @returns {Promise<import("../types.js").Invitation>}
 */
export async function invitationTo(game) {
  return call("GET", `/api/gatherings/${game}/link`);
}

/**
 * Take a step in a gathering: "sit", "leave", "decline", "remove", "fill", "arrange", "begin", "commit", "reveal" or
 * "stop".
 * @param {string} game @param {string} name @param {object} [body]
 */
export async function step(game, name, body) {
  return call("POST", `/api/gatherings/${game}/${name}`, body);
}

/**
 * People I've played with, and my invitations. For a table of mine, the answer also says who's been invited.
 * @param {string} [table] @returns {Promise<import("../types.js").MyPeople>}
 */
export async function myPeople(table) {
  return call("GET", table ? `/api/people?${new URLSearchParams({ table })}` : "/api/people");
}

/** @typedef {import("../types.js").Someone} Someone a person who had a seat in a game that we both finished */

/** @param {Someone} someone @param {boolean} hidden */
export async function hidePerson({ game, seat }, hidden) {
  await call("POST", "/api/people/hide", { game, seat, hidden });
}

/** @param {Someone} someone */
export async function forgetPerson({ game, seat }) {
  await call("POST", "/api/people/forget", { game, seat });
}

/** Invite someone to my table. @param {string} table @param {Someone} someone */
export async function invite(table, { game, seat }) {
  await call("POST", `/api/gatherings/${table}/invite`, { game, seat });
}

/**
 * Look for someone to play with, or keep looking.
 * @param {import("../types.js").Seek} criteria @returns {Promise<import("../types.js").SeekState>}
 */
export async function seek(criteria) {
  return call("POST", "/api/seek", criteria);
}

/** Stop looking, even if the page is being closed. */
export function stopSeeking() {
  void fetch("/api/seek/stop", { method: "POST", keepalive: true }).catch(() => {});
}

/** @param {string} game @param {string} commitment @returns {Promise<import("../types.js").Created>} */
export async function askForRematch(game, commitment) {
  return call("POST", `/api/games/${game}/rematch?${new URLSearchParams({ commitment })}`);
}

/** What I can still do as a latecomer. @param {string} game @returns {Promise<import("../types.js").Latecomers>} */
export async function latecomersOf(game) {
  return call("GET", `/api/games/${game}/latecomers`);
}

/**
 * Take over a bot's seat, wait for the rematch, or stop waiting.
 * @param {string} game @param {"take-seat" | "wait" | "stop-waiting"} action @param {object} [body]
 * @returns {Promise<import("../types.js").Latecomers>}
 */
export async function actAsLatecomer(game, action, body) {
  return call("POST", `/api/games/${game}/${action}`, body);
}

/** A game's current state. @param {string} game @returns {Promise<import("../types.js").State>} */
export async function gameOf(game) {
  return call("GET", `/api/games/${game}`);
}

/** The record of a finished game, as text. @param {string} game */
export async function recordOf(game) {
  return (await ask("GET", `/api/games/${game}/record`)).text();
}

/**
 * Check a record against the rules, and return how its game stands.
 * @param {string} record
 * @returns {Promise<{over: boolean, winners: number[], scores: number[], preset: string | null}>}
 */
export async function checkRecord(record) {
  return call("POST", "/api/records", { record });
}

/**
 * A record as a picture.
 * @param {{record: string, kind: string, move: number | null, theme: string}} request @returns {Promise<Blob>}
 */
export async function pictureOf(request) {
  return (await ask("POST", "/api/pictures", request)).blob();
}

/** @param {string} day @param {number} grade @returns {Promise<import("../types.js").Conundrum>} */
export async function conundrumOf(day, grade) {
  return call("GET", `/api/conundrums/${day}/${grade}`);
}

/** @param {string} conundrum its text @returns {Promise<import("../types.js").Conundrum>} */
export async function readConundrum(conundrum) {
  return call("POST", "/api/conundrums", { conundrum });
}

/**
 * @param {string} conundrum
 * @param {string} placement
 * @param {string[]} found
 * @returns {Promise<{verdict: string, refusal: import("../types.js").Refusal | null}>}
 */
export async function judge(conundrum, placement, found) {
  return call("POST", "/api/conundrums/try", { conundrum, placement, found });
}

/**
 * @param {string} conundrum
 * @param {string[]} found
 * @param {number} step
 * @returns {Promise<{tile: string, x: number, y: number, width: number, height: number}>}
 */
export async function conundrumHint(conundrum, found, step) {
  return call("POST", "/api/conundrums/hint", { conundrum, found, step });
}

/** @param {string} conundrum @param {string[]} found @returns {Promise<string[]>} */
export async function missingPlaces(conundrum, found) {
  return (await call("POST", "/api/conundrums/missing", { conundrum, found })).places;
}

/** My times for solved conundrums: seconds by "day/grade". @returns {Promise<Record<string, number>>} */
export async function mySolvingTimes() {
  return (await call("GET", "/api/solved")).times;
}

/** @param {{day: string, grade: number, seconds: number, found: string[]}} solved */
export async function sendSolved(solved) {
  await call("POST", "/api/solved", solved);
}

/** A code for another device. @returns {Promise<string>} */
export async function makeCode() {
  return (await call("POST", "/api/me/code")).code;
}

/** A recovery code, valid on any device; it replaces the previous one. @returns {Promise<string>} */
export async function makeRecoveryCode() {
  return (await call("POST", "/api/me/recovery")).code;
}

/** My account: devices, recovery code and face. @returns {Promise<import("../types.js").Account>} */
export async function myAccount() {
  return call("GET", "/api/me");
}

/** Sign out all my other devices. @returns {Promise<import("../types.js").Account>} */
export async function signOutOthers() {
  return call("POST", "/api/me/sign-out-others");
}

/** @param {string} code */
export async function claimCode(code) {
  await call("POST", "/api/me/claim", { code });
}

/** Choose my face. @param {import("../types.js").ChooseFace["face"]} face */
export async function chooseFace(face) {
  await call("POST", "/api/me/face", { face });
}

export async function eraseMe() {
  await call("POST", "/api/me/erase");
}

/**
 * @param {string} family @param {string} board "people" or "bots"
 * @returns {Promise<import("../types.js").Leaderboard>}
 */
export async function leaderboard(family, board = "people") {
  return call("GET", `/api/ratings/${family}?board=${board}`);
}

/** Join the leaderboards under a name, or leave them if the name is null. @param {string | null} name */
export async function setListedName(name) {
  await call("POST", "/api/me/listed", { name });
}

/**
 * A page of my games.
 * @param {string} [after] the previous page's `next`; leave it out for the first page
 * @returns {Promise<import("../types.js").MyGames>}
 */
export async function myGames(after) {
  return call("GET", after ? `/api/games?${new URLSearchParams({ after })}` : "/api/games");
}

/**
 * @param {Partial<import("../types.js").Rules>} rules @param {number} players
 * @returns {Promise<import("../types.js").Options>}
 */
export async function checkRules(rules, players) {
  return call("POST", "/api/rules", { rules, players });
}

/** @type {import("../types.js").OfferedChoice[] | null} The rule choices don't change while the page is open. */
let knownChoices = null;

/** All rule choices, in the order they're offered. @returns {Promise<import("../types.js").OfferedChoice[]>} */
export async function ruleChoices() {
  knownChoices ??= (await call("GET", "/api/rules")).choices;
  return knownChoices ?? [];
}

/** The steps of the lesson. @returns {Promise<import("../learn/lesson_page.js").Step[]>} */
export async function lessonSteps() {
  return (await call("GET", "/api/lessons")).lessons;
}

/**
 * @param {string} lesson
 * @param {string[]} actions everything done in the lesson; the last action is judged
 * @returns {Promise<import("../learn/lesson_page.js").Attempt>}
 */
export async function tryLesson(lesson, actions) {
  return call("POST", `/api/lessons/${lesson}/try`, { actions });
}

/**
 * The review of a game. If `seat` is null, it's mine. If `measure` is null, the server chooses one.
 * @param {string} game @param {number | null} seat @param {string | null} measure
 * @returns {Promise<import("../types.js").Review>}
 */
export async function reviewOf(game, seat, measure) {
  const params = new URLSearchParams();
  if (seat !== null) params.set("seat", String(seat));
  if (measure !== null) params.set("measure", measure);
  return call("GET", `/api/games/${game}/review?${params}`);
}

/** My costly choices, to try again. @returns {Promise<{lessons: import("../types.js").PracticePosition[], waiting: number}>} */
export async function myPractice() {
  return call("GET", "/api/practice");
}

/** Which bot to play next. @returns {Promise<import("../types.js").BotLadder>} */
export async function myLadder() {
  return call("GET", "/api/path");
}

/** All tiles in the box, by kind. @param {boolean} chameleons @returns {Promise<Record<string, string[]>>} */
export async function tilesByKind(chameleons) {
  return (await call("GET", `/api/tiles?chameleons=${chameleons}`)).kinds;
}

/** The key for subscribing to notifications, if this server sends any. @returns {Promise<string | null>} */
export async function pushKey() {
  return (await call("GET", "/api/me/push")).key;
}

/** Notify me in this browser. @param {object} subscription */
export async function pushOn(subscription) {
  return call("POST", "/api/me/push", subscription);
}

/** Stop notifying me in this browser. @param {string} endpoint */
export async function pushOff(endpoint) {
  return call("POST", "/api/me/push/stop", { endpoint });
}
