// Asks the server. The token lies in a cookie that no script can read.

import { queryText } from "./links.js"
import { inZone } from "./words.js"

class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @type {(() => Promise<boolean>) | null} */
let sessionEnded = null

/**
 * Says what to call when the server knows the session no more; it answers whether the same rights are back.
 *
 * @param {() => Promise<boolean>} handler
 */
export function onSessionEnd(handler) {
  sessionEnded = handler
}

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function ask(path, options) {
  let response
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", redirect: "error", ...options })
  } catch (error) {
    if (error.name === "AbortError") throw error
    throw new Refused(0, "The server does not answer. Check the connection, then try again.")
  }
  if (response.ok) return response
  // Nothing was done, so that the same may be asked again. What is asked about the session itself answers for itself.
  if (response.status === 401 && sessionEnded && !path.endsWith("/console/session")) {
    if (await sessionEnded()) return ask(path, options)
    throw new DOMException("somebody else has signed in", "AbortError")
  }
  let message = `The server answered ${response.status}.`
  try {
    message = spokenRefusal((await response.json()).message ?? message)
  } catch {
    // A proxy between may answer with a page of its own; the status says enough.
  }
  throw new Refused(response.status, message)
}

/**
 * What the server says, as a reader does: without the names of requests and parameters, and in the zone of the page.
 *
 * @param {string} message
 */
const spokenRefusal = (message) => inZone(message)
  .replace(/^(?:The request is refused|Not found): (.)/u, (_, first) => first.toUpperCase()).replace(/ \('[^']*'[^)]*\)/g, "")

/**
 * Reads the body of an answer.
 *
 * @param {Response} response
 */
async function contents(response) {
  try {
    return await response.json()
  } catch (error) {
    if (error.name === "AbortError") throw error
    throw new Refused(0, "The answer of the server broke off. Check the connection, then try again.")
  }
}

const root = "/api/v1"

/**
 * Writes the address of a path with a query.
 *
 * @param {string} path
 * @param {Query | string[][]} query
 */
function address(path, query) {
  const text = queryText(/** @type {Record<string, string>} */ (query))
  return `${root}/${path}${text ? `?${text}` : ""}`
}

/**
 * Asks for what lies at a path that has no names in it.
 *
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {Query | string[][]} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answers[Path]>}
 */
export async function get(path, query = {}, signal) {
  return contents(await ask(address(path, query), { signal }))
}

/**
 * Sends something that changes what is kept, or asks for something with a reason; returns the answer, or null when there is none.
 *
 * @param {"POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @param {Query} [query]
 * @returns {Promise<any>}
 */
export async function send(method, path, body, signal, query = {}) {
  const response = await ask(address(path, query), { method, body: body === null ? undefined : JSON.stringify(body), signal })
  return response.status === 204 ? null : contents(response)
}

/** @param {string} token */
export const signIn = (token) => send("POST", "console/session", { token })

export const signOut = () => send("DELETE", "console/session", null)

/** Forgets who had signed in. */
export function forgetSession() {
  session = null
}

/**
 * Who has signed in; null before.
 *
 * @type {SignedIn | null}
 */
export let session = null

/** Whether whoever has signed in may sign off and acknowledge. */
export const isReviewer = () => session?.role === "reviewer"

/** Whether whoever has signed in may place and lift holds, and erase. */
export const isAdministrator = () => session?.role === "administrator"

export async function isSignedIn() {
  try {
    session = await get("console/session")
    return true
  } catch (error) {
    session = null
    if (error.status === 401 || error.status === 403) return false
    throw error
  }
}

/** @param {AbortSignal} signal */
export async function partitions(signal) {
  /** @type {PartitionRecord[]} */
  const all = []
  /** @type {string | null} */
  let after = null
  do {
    /** @type {Response} */
    const response = await ask(address("partitions", { limit: 1000, ...(after && { after }) }), { signal })
    all.push(...(await contents(response)))
    after = response.headers.get("Daybook-Next-Cursor")
  } while (after)
  return all
}

/** @param {string} partition @param {number} sequence */
const eventPath = (partition, sequence) => `partitions/${encodeURIComponent(partition)}/events/${sequence}`

/**
 * An event with its proof.
 *
 * @param {string} partition
 * @param {number} sequence
 * @param {AbortSignal} signal
 * @returns {Promise<EventAnswer>}
 */
export async function event(partition, sequence, signal) {
  return contents(await ask(address(eventPath(partition, sequence), {}), { signal }))
}

/**
 * Asks for an event with its masked values; the answer is kept by whoever shows it, and nowhere else.
 *
 * @param {string} partition @param {number} sequence @param {UnmaskOrder} order @param {AbortSignal} signal
 * @returns {Promise<EventAnswer>}
 */
export const unmask = (partition, sequence, order, signal) => send("POST", `${eventPath(partition, sequence)}/unmask`, order, signal)

/**
 * Asks for the events that show an object with its masked values; kept like those of one event.
 *
 * @param {Query} filter @param {UnmaskOrder} order @param {AbortSignal} signal
 * @returns {Promise<{ events: RecordedLine[] }>}
 */
export const unmaskObject = (filter, order, signal) => send("POST", "objects/unmask", order, signal, filter)

/**
 * How a review was signed off, the newest first.
 *
 * @param {string} review
 * @param {AbortSignal} signal
 * @returns {Promise<Signature[]>}
 */
export async function signatures(review, signal) {
  return contents(await ask(address(`reviews/${review}/signatures`, {}), { signal }))
}
