// Asks the server of the file. The token came with the address that the command printed; pages of this port alone can read it.

import { queryText } from "../ui/links.js"

const place = "daybook-token"

/** An answer that is none. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** Takes the token out of the address, where it would be seen and copied. */
export function keepToken() {
  const token = new URLSearchParams(location.search).get("token")
  if (!token) return
  localStorage.setItem(place, token)
  history.replaceState(null, "", `/${location.hash}`)
}

/**
 * Asks for what lies at a path.
 *
 * @template {keyof FileAnswers} Path
 * @param {Path} path
 * @param {Query} query
 * @param {AbortSignal} signal
 * @returns {Promise<FileAnswers[Path]>}
 */
export async function ask(path, query, signal) {
  const values = Object.entries(query).flatMap(([name, value]) => (value === null || value === undefined || value === "" ? [] : [[name, String(value)]]))
  const text = queryText(values)
  const headers = { Authorization: `Bearer ${localStorage.getItem(place) ?? ""}` }
  try {
    const response = await fetch(`/api/${path}${text ? `?${text}` : ""}`, { headers, cache: "no-store", redirect: "error", signal })
    const answer = await response.json()
    if (response.ok) return answer
    throw new Refused(response.status, answer.message)
  } catch (error) {
    if (error.name === "AbortError" || error instanceof Refused) throw error
    throw new Refused(0, "The command does not answer. It may have ended: start it again, and open the address that it prints.")
  }
}
