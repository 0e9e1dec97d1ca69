/** Calls to the server; a refusal becomes an `ApiError` with a code that the catalogs translate. */

export class ApiError extends Error {
  /** @param {string} code @param {string} [detail] */
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
  }
}

/**
 * @param {"GET" | "POST"} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : null,
    });
  } catch {
    throw new ApiError("away");
  }
  const found = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiError(found?.code ?? "failed", found?.text);
  return found;
}

/** @type {Promise<{game: string}> | null} */
let starting = null;

/** Start a game; a second click while it starts gets the same one. @param {import("./types.js").NewGame} setup @returns {Promise<string>} its id */
export async function startGame(setup) {
  starting ??= call("POST", "/api/games", setup).finally(() => (starting = null));
  return (await starting).game;
}

/** @returns {Promise<import("./types.js").Summary[]>} */
export async function myGames() {
  return (await call("GET", "/api/games")).games;
}

/**
 * @param {Partial<import("./types.js").Rules>} rules @param {number} players
 * @returns {Promise<import("./types.js").Options>}
 */
export async function checkRules(rules, players) {
  return call("POST", "/api/rules", { rules, players });
}

/** All tiles in the box, by kind. @param {boolean} chameleons @returns {Promise<Record<string, string[]>>} */
export async function tilesByKind(chameleons) {
  return (await call("GET", `/api/tiles?chameleons=${chameleons}`)).kinds;
}
