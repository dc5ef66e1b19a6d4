// Who recorded something, by name: what the server's directories of staff say of an account, or of a name that an app recorded.

import * as api from "./api.js"

/** How many the server is asked for at once, and how long their ids may be in an address. */
const atOnce = 100
const maximumAddress = 4000
/** How many are kept; whoever works all day comes across no more people than a hospital has. */
const maximumKnown = 20_000

/** @type {Map<string, Person | null>} */
const known = new Map()
/** @type {SignedIn | null} */
let learntAs = null

/**
 * Asks who these are, as far as nobody asked before; what a page shows of them afterwards has their names.
 *
 * @param {Iterable<Maybe<string>>} ids
 * @param {AbortSignal} signal
 */
export async function learn(ids, signal) {
  // Somebody else may know other people.
  if (learntAs !== api.session || known.size > maximumKnown) known.clear()
  learntAs = api.session
  const asked = [...new Set(ids)].filter((id) => typeof id === "string" && id !== "" && id.length <= 256 && !known.has(id)).map(String)
  try {
    while (asked.length > 0) {
      const part = [asked.pop() ?? ""]
      let length = encodeURIComponent(part[0]).length
      for (let next = asked.at(-1); next !== undefined && part.length < atOnce; next = asked.at(-1)) {
        length += encodeURIComponent(next).length + 4
        if (length > maximumAddress) break
        part.push(next)
        asked.pop()
      }
      const found = await api.get("people", part.map((id) => ["id", id]), signal)
      for (const id of part) known.set(id, null)
      for (const person of found) known.set(person.id, person)
    }
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") throw error
    // Names are a help; without them a page shows what the events say.
  }
}

/**
 * What a directory says of somebody; nothing before `learn`, and of who is in none.
 *
 * @param {Maybe<string>} id
 */
export const person = (id) => known.get(id ?? "") ?? null

/**
 * Somebody with role and unit, for a text; what was recorded where no directory says more.
 *
 * @param {string} id
 */
export function described(id) {
  const found = person(id)
  if (!found) return id
  const rest = [found.role, found.unit].filter(Boolean).join(", ")
  return rest ? `${found.name} (${rest})` : found.name
}
