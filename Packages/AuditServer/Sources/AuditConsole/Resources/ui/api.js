// Asks the server. The token lies in a cookie that no script can read.

import { inZone } from "./words.js"

export class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

let sessionEnded = null

/** Says what to call when the server knows the session no more; it answers whether the same rights are back. */
export function onSessionEnd(handler) {
  sessionEnded = handler
}

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

/** What the server says, as a reader does: without the names of requests and parameters, and in the zone of the page. */
const spokenRefusal = (message) => inZone(message)
  .replace(/^(?:The request is refused|Not found): (.)/u, (_, first) => first.toUpperCase()).replace(/ \('[^']*'[^)]*\)/g, "")

/** Reads the body of an answer. */
async function contents(response) {
  try {
    return await response.json()
  } catch (error) {
    if (error.name === "AbortError") throw error
    throw new Refused(0, "The answer of the server broke off. Check the connection, then try again.")
  }
}

const root = "/api/v1"

/** Writes the address of a path with a query. */
function address(path, query = {}) {
  // A plus sign stands for a space in forms alone.
  const text = new URLSearchParams(query).toString().replaceAll("+", "%20")
  return `${root}/${path}${text ? `?${text}` : ""}`
}

export async function get(path, query = {}, signal) {
  return contents(await ask(address(path, query), { signal }))
}

/** Whether whoever has signed in may sign off and acknowledge. */
export const isReviewer = () => session?.role === "reviewer"

/** Sends something that changes what is kept; returns the answer, or null when there is none. */
export async function send(method, path, body, signal) {
  const response = await ask(`${root}/${path}`, { method, body: body === null ? undefined : JSON.stringify(body), signal })
  return response.status === 204 ? null : contents(response)
}

export async function signIn(token) {
  await ask(`${root}/console/session`, { method: "POST", body: JSON.stringify({ token }) })
}

export async function signOut() {
  await ask(`${root}/console/session`, { method: "DELETE" })
}

/** Forgets who had signed in. */
export function forgetSession() {
  session = null
}

/** Who has signed in: `{role, apps, token, expires}`; null before. */
export let session = null

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

export async function partitions(signal) {
  const all = []
  let after = null
  do {
    const response = await ask(`${root}/partitions?limit=1000${after ? `&after=${after}` : ""}`, { signal })
    all.push(...(await contents(response)))
    after = response.headers.get("Daybook-Next-Cursor")
  } while (after)
  return all
}

/** Asks for an event with its masked values; the answer is kept by whoever shows it, and nowhere else. */
export async function unmask(partition, sequence, order, signal) {
  const path = `${root}/partitions/${encodeURIComponent(partition)}/events/${sequence}/unmask`
  return contents(await ask(path, { method: "POST", body: JSON.stringify(order), signal }))
}

/** Asks for the events that show an object with its masked values; kept like those of one event. */
export async function unmaskObject(filter, order, signal) {
  return (await ask(address("objects/unmask", filter), { method: "POST", body: JSON.stringify(order), signal })).json()
}

export const event = (partition, sequence, signal) =>
  get(`partitions/${encodeURIComponent(partition)}/events/${sequence}`, {}, signal)

export const exports = (signal) => get("exports", {}, signal)

export async function beginExport(filter, formats, reason, signal) {
  const order = JSON.stringify(reason ? { formats, reason } : { formats })
  return contents(await ask(address("exports", filter), { method: "POST", body: order, signal }))
}

export async function deleteExport(id, signal) {
  await ask(`${root}/exports/${id}`, { method: "DELETE", signal })
}
