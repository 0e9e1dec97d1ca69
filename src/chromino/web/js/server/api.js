/** Calls to the server. A problem becomes an `ApiError`, with a code that the catalogs translate. */

export class ApiError extends Error {
  /** @param {string} code @param {string} [detail] */
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
  }
}

/**
 * @typedef {import("../types.js").Calls} Calls
 * @typedef {Record<string, string | number | boolean | null>} Values
 */

/**
 * Send a request. If the server can't be reached or answers with a problem, throw an `ApiError`.
 * @template {keyof Calls} Name
 * @param {Name} name the method and the path
 * @param {Values} [values] what replaces the names in the path; the rest becomes the query, except nulls
 * @param {Calls[Name]["body"]} [body]
 */
async function ask(name, values = {}, body = undefined) {
  const [method, template] = /** @type {[string, string]} */ (name.split(" "));
  const query = new URLSearchParams();
  let path = template;
  for (const [key, value] of Object.entries(values)) {
    if (template.includes(`{${key}}`)) path = path.replace(`{${key}}`, encodeURIComponent(String(value)));
    else if (value !== null) query.set(key, String(value));
  }
  const answer = await fetch(query.size ? `${path}?${query}` : path, {
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
 * @template {keyof Calls} Name
 * @param {Name} name @param {Values} [values] @param {Calls[Name]["body"]} [body]
 * @returns {Promise<Calls[Name]["answer"]>}
 */
async function call(name, values, body) {
  const answer = await ask(name, values, body);
  return answer.status === 204 ? null : answer.json().catch(() => null);
}

/** @param {import("../types.js").NewGame} game */
export async function createGame(game) {
  return call("POST /api/games", {}, game);
}

/** @param {import("../types.js").NewGathering} gathering */
export async function createGathering(gathering) {
  return call("POST /api/gatherings", {}, gathering);
}

/** Gatherings that are open to anyone. */
export async function lobby() {
  return (await call("GET /api/gatherings")).gatherings;
}

/** @param {string} game */
export async function gatheringOf(game) {
  return call("GET /api/gatherings/{game}", { game });
}

/** The storage key for when a game with others last ended in this browser. A rematch may be offered after that. */
export const PLAYED_WITH_OTHERS = "chromino.played-with-others";

/** Rematches that are waiting for my answer. */
export async function myOffers() {
  return (await call("GET /api/offers")).rematches;
}

/** Get a link to a finished game, and who can open it. Games without other people become visible to anyone with the
 * link. @param {string} game */
export async function linkToGame(game) {
  return call("POST /api/games/{game}/share", { game });
}

/** The link to a gathering, and who can open it. @param {string} game */
export async function tableLinkOf(game) {
  return call("GET /api/gatherings/{game}/link", { game });
}

/**
 * @typedef {"sit" | "leave" | "decline" | "remove" | "fill" | "arrange" | "begin" | "commit" | "reveal" | "stop"} Step
 * a step in a gathering
 */

/**
 * Take a step in a gathering.
 * @template {Step} Name
 * @param {string} game @param {Name} name @param {Calls[`POST /api/gatherings/{game}/${Name}`]["body"]} [body]
 */
export async function step(game, name, body) {
  return call(
    /** @type {`POST /api/gatherings/{game}/${Name}`} */ (`POST /api/gatherings/{game}/${name}`),
    { game },
    body,
  );
}

/** People I've played with, and my invitations. @param {string | null} table my table, to find out who's been invited to it */
export async function myPeople(table = null) {
  return call("GET /api/people", { table });
}

/** @typedef {import("../types.js").Someone} Someone a person who had a seat in a game that we both finished */

/** @param {Someone} someone @param {boolean} hidden */
export async function hidePerson({ game, seat }, hidden) {
  await call("POST /api/people/hide", {}, { game, seat, hidden });
}

/** @param {Someone} someone */
export async function forgetPerson({ game, seat }) {
  await call("POST /api/people/forget", {}, { game, seat });
}

/** Invite someone to my table. @param {string} table @param {Someone} someone */
export async function invite(table, { game, seat }) {
  await call("POST /api/gatherings/{game}/invite", { game: table }, { game, seat });
}

/** Look for someone to play with, or keep looking. @param {import("../types.js").Seek} criteria */
export async function seek(criteria) {
  return call("POST /api/seek", {}, criteria);
}

/** Stop looking, even if the page is being closed. */
export function stopSeeking() {
  void fetch("/api/seek/stop", { method: "POST", keepalive: true }).catch(() => {});
}

/** @param {string} game @param {string} commitment */
export async function askForRematch(game, commitment) {
  return call("POST /api/games/{game}/rematch", { game, commitment });
}

/** What I can still do as a latecomer. @param {string} game */
export async function latecomersOf(game) {
  return call("GET /api/games/{game}/latecomers", { game });
}

/** Take over a bot's seat. @param {string} game @param {import("../types.js").TakeSeat} seat */
export async function takeSeat(game, seat) {
  return call("POST /api/games/{game}/take-seat", { game }, seat);
}

/** Wait for the rematch. @param {string} game @param {import("../types.js").Wait} me */
export async function waitForRematch(game, me) {
  return call("POST /api/games/{game}/wait", { game }, me);
}

/** @param {string} game */
export async function stopWaiting(game) {
  return call("POST /api/games/{game}/stop-waiting", { game });
}

/** A game's current state. @param {string} game */
export async function gameOf(game) {
  return call("GET /api/games/{game}", { game });
}

/** The record of a finished game, as text. @param {string} game */
export async function recordOf(game) {
  return (await ask("GET /api/games/{game}/record", { game })).text();
}

/** Check a record against the rules, and return how its game stands. @param {string} record */
export async function checkRecord(record) {
  return call("POST /api/records", {}, { record });
}

/** A record as a picture. @param {import("../types.js").DrawRecord} drawing */
export async function pictureOf(drawing) {
  return (await ask("POST /api/pictures", {}, drawing)).blob();
}

/** @param {string} day @param {number} grade */
export async function conundrumOf(day, grade) {
  return call("GET /api/conundrums/{day}/{grade}", { day, grade });
}

/** @param {string} conundrum its text */
export async function readConundrum(conundrum) {
  return call("POST /api/conundrums", {}, { conundrum });
}

/** @param {string} conundrum @param {string} placement @param {string[]} found */
export async function judge(conundrum, placement, found) {
  return call("POST /api/conundrums/try", {}, { conundrum, placement, found });
}

/** @param {string} conundrum @param {string[]} found @param {1 | 2 | 3} step */
export async function conundrumHint(conundrum, found, step) {
  return call("POST /api/conundrums/hint", {}, { conundrum, found, step });
}

/** @param {string} conundrum @param {string[]} found */
export async function missingPlaces(conundrum, found) {
  return (await call("POST /api/conundrums/missing", {}, { conundrum, found })).places;
}

/** My times for solved conundrums: seconds by "day/grade". */
export async function mySolvingTimes() {
  return (await call("GET /api/solved")).times;
}

/** @param {import("../types.js").SolvedConundrum} solved */
export async function sendSolved(solved) {
  await call("POST /api/solved", {}, solved);
}

/** A code for another device. */
export async function makeCode() {
  return (await call("POST /api/me/code")).code;
}

/** A recovery code, valid on any device; it replaces the previous one. */
export async function makeRecoveryCode() {
  return (await call("POST /api/me/recovery")).code;
}

/** My account: devices, recovery code and face. */
export async function myAccount() {
  return call("GET /api/me");
}

/** Sign out all my other devices. */
export async function signOutOthers() {
  return call("POST /api/me/sign-out-others");
}

/** @param {string} code */
export async function claimCode(code) {
  await call("POST /api/me/claim", {}, { code });
}

/** Choose my face. @param {import("../types.js").ChooseFace["face"]} face */
export async function chooseFace(face) {
  await call("POST /api/me/face", {}, { face });
}

export async function eraseMe() {
  await call("POST /api/me/erase");
}

/** @param {string} family @param {string} board "people" or "bots" */
export async function leaderboard(family, board = "people") {
  return call("GET /api/ratings/{family}", { family, board });
}

/** Join the leaderboards under a name, or leave them if the name is null. @param {string | null} name */
export async function setListedName(name) {
  await call("POST /api/me/listed", {}, { name });
}

/** A page of my games. @param {string | null} [after] the previous page's `next`; leave it out for the first page */
export async function myGames(after = null) {
  return call("GET /api/games", { after });
}

/** @param {Partial<import("../types.js").Rules>} rules @param {number} players */
export async function checkRules(rules, players) {
  return call("POST /api/rules", {}, { rules, players });
}

/** @type {import("../types.js").OfferedChoice[] | null} The rule choices don't change while the page is open. */
let knownChoices = null;

/** All rule choices, in the order they're offered. */
export async function ruleChoices() {
  knownChoices ??= (await call("GET /api/rules")).choices;
  return knownChoices;
}

/** The steps of the lesson. */
export async function lessonSteps() {
  return (await call("GET /api/lesson")).steps;
}

/** @param {string} step its name @param {string[]} actions those in this step; the last one is judged */
export async function tryStep(step, actions) {
  return call("POST /api/lesson/{step}/try", { step }, { actions });
}

/**
 * The review of a game. If `seat` is null, the review is of my own seat. If `measure` is null, the server chooses one.
 * @param {string} game @param {number | null} seat @param {string | null} measure
 */
export async function reviewOf(game, seat, measure) {
  return call("GET /api/games/{game}/review", { game, seat, measure });
}

/** My costly choices, to try again. */
export async function myPractice() {
  return call("GET /api/practice");
}

/** Which bot to play next. */
export async function myLadder() {
  return call("GET /api/path");
}

/** All tiles in the box, by kind. @param {boolean} chameleons */
export async function tilesByKind(chameleons) {
  return (await call("GET /api/tiles", { chameleons })).kinds;
}

/** The key for subscribing to notifications, if this server sends any. */
export async function pushKey() {
  return (await call("GET /api/me/push")).key;
}

/** Notify me in this browser. @param {import("../types.js").PushOn} subscription */
export async function pushOn(subscription) {
  await call("POST /api/me/push", {}, subscription);
}

/** Stop notifying me in this browser. @param {string} endpoint */
export async function pushOff(endpoint) {
  await call("POST /api/me/push/stop", {}, { endpoint });
}
