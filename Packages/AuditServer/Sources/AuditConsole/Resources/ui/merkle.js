// Hashes and trees, RFC 9162, in this browser: the second implementation beside the server's, on purpose.

/** @param {unknown} hex */
export const bytesOf = (hex) => {
  if (typeof hex !== "string" || hex.length % 2 || /[^0-9a-f]/i.test(hex)) throw new Error("not hexadecimal")
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}
/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** @param {Uint8Array[]} parts */
export function join(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let position = 0
  for (const part of parts) {
    all.set(part, position)
    position += part.length
  }
  return all
}

/** @param {Uint8Array[]} parts */
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)))

/**
 * The hash of a leaf, RFC 9162: a zero byte, then the event.
 *
 * @param {Uint8Array} event
 */
export const leafHash = (event) => sha256(Uint8Array.of(0), event)

/**
 * Walks from a leaf to the root, RFC 9162, section 2.1.3.2; null when the path has the wrong length.
 *
 * @param {Uint8Array} leaf
 * @param {number} index
 * @param {number} total
 * @param {Uint8Array[]} path
 */
export async function rootOf(leaf, index, total, path) {
  let position = BigInt(index)
  let last = BigInt(total) - 1n
  if (position > last) return null
  let hash = leaf
  for (const sibling of path) {
    if (last === 0n) return null
    if (position & 1n || position === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash)
      while (!(position & 1n) && position !== 0n) {
        position >>= 1n
        last >>= 1n
      }
    } else {
      hash = await sha256(Uint8Array.of(1), hash, sibling)
    }
    position >>= 1n
    last >>= 1n
  }
  return last === 0n ? hash : null
}
