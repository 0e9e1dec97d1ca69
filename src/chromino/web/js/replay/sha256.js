/**
 * SHA-256 in JavaScript: browsers offer it only on secure pages, and a server in your living room has no certificate.
 * It's small and slow, but checking a deal takes fewer than two hundred hashes.
 */

const ROUND_CONSTANTS = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
const INITIAL_HASH = Uint32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));

/** @param {number} count */
function firstPrimes(count) {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes;
}

/** The first 32 bits of a number's fractional part. @param {number} value */
function fraction(value) {
  return Math.floor((value % 1) * 2 ** 32);
}

/** @param {number} word @param {number} bits */
function rotated(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/** The hash of a string's UTF-8 bytes, as 64 hexadecimal digits. @param {string} text */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const hash = INITIAL_HASH.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let n = 0; n < 16; n += 1) words[n] = view.getUint32(block + 4 * n);
    for (let n = 16; n < 64; n += 1) {
      const [w15, w2] = [words[n - 15] ?? 0, words[n - 2] ?? 0];
      const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
      const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
      words[n] = (words[n - 16] ?? 0) + s0 + (words[n - 7] ?? 0) + s1;
    }
    mix(hash, words);
  }
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Mix one block into the hash. @param {Uint32Array} hash @param {Uint32Array} words */
function mix(hash, words) {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let n = 0; n < 64; n += 1) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const temp1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[n] ?? 0) + (words[n] ?? 0)) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const temp2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + temp1) | 0, c, b, a, (temp1 + temp2) | 0];
  }
  for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) hash[n] = (hash[n] ?? 0) + word;
}
