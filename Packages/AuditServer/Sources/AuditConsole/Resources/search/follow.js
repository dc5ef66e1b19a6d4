// Follows what arrives: new events come in front of the results, by themselves.

import * as api from "../ui/api.js"
import { announce, h } from "../ui/elements.js"
import { personOf, row } from "../ui/lines.js"
import { learn } from "../ui/people.js"
import { plural } from "../ui/texts.js"

const followEvery = 2000
/** How many events are known as told at most, and how many of them are kept then. */
const maximumTold = 5000
const keptTold = 1000
/** What is shown stays bounded however long somebody follows. */
const maximumRows = 500

/**
 * The button that begins and ends it.
 *
 * @param {HTMLElement} rows
 * @param {Query} asked
 * @param {AbortSignal} signal
 */
export function follow(rows, asked, signal) {
  const button = h("button", { type: "button", class: "quiet", "aria-pressed": "false" }, "Follow live")
  /** @type {number | null} */
  let timer = null
  /** @type {Maybe<string>} */
  let last = null
  // Behind a balancer two servers may tell of one event.
  let told = new Set()
  const stop = () => {
    clearTimeout(timer ?? undefined)
    timer = null
    button.setAttribute("aria-pressed", "false")
    button.textContent = "Follow live"
  }
  const look = async () => {
    try {
      const news = await api.get("search/new", last === null ? asked : { ...asked, last }, signal)
      last = news.last
      if (news.beginsAnew) announce("The server does not know how far it was followed. Search again to see what arrived meanwhile.")
      const fresh = news.events.filter(({ partition, sequence }) => !told.has(`${partition}/${sequence}`))
      for (const { partition, sequence } of fresh) told.add(`${partition}/${sequence}`)
      if (told.size > maximumTold) told = new Set([...told].slice(-keptTold))
      await learn(fresh.map((line) => personOf(line)), signal)
      if (fresh.length > 0) show(fresh)
      if (!signal.aborted && timer !== null) timer = setTimeout(look, news.isMore ? 0 : followEvery)
    } catch {
      if (!signal.aborted) {
        stop()
        button.textContent = "Follow live (stopped: no answer)"
      }
    }
  }
  /** @param {EventLine[]} fresh */
  const show = (fresh) => {
    rows.querySelector(".nothing")?.parentElement?.remove()
    for (const line of fresh) {
      const made = row(line)
      made.classList.add("fresh")
      rows.prepend(made)
    }
    while (rows.children.length > maximumRows) rows.lastChild?.remove()
    announce(plural(fresh.length, "new event"))
  }
  button.addEventListener("click", () => {
    if (timer !== null) return stop()
    button.setAttribute("aria-pressed", "true")
    button.textContent = "Following live"
    timer = 0
    look()
  })
  signal.addEventListener("abort", () => clearTimeout(timer ?? undefined))
  return button
}
