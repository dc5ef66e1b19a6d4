// Summarizes events by values, and shows how many each has. Those that were counted one by one are summarized in the form of the
// server, which does it for those that its index can count.

import { h } from "../ui/elements.js"
import { none } from "../ui/parts.js"
import { count } from "../ui/texts.js"
import { exactly, instant, moment } from "../ui/times.js"

/**
 * The summary of lines, with at most so many values of each kind.
 *
 * @param {EventLine[]} lines
 * @param {number} limit
 */
export function summarized(lines, limit) {
  /** @param {(line: EventLine) => string[]} valuesOf @returns {Tallies} */
  const parts = (valuesOf) => {
    /** @type {Map<string, Tally>} */
    const tallies = new Map()
    for (const line of lines) {
      for (const value of valuesOf(line)) {
        const tally = tallies.get(value) ?? empty()
        tallies.set(value, tally)
        add(tally, line)
      }
    }
    const most = [...tallies].map(([value, tally]) => ({ value, tally })).sort((one, other) => other.tally.events - one.tally.events)
    return { most: most.slice(0, limit), count: most.length }
  }
  const all = empty()
  for (const line of lines) add(all, line)
  return {
    all, isExact: true,
    accounts: parts(({ user }) => (user ? [user] : [])), activities: parts(({ activity }) => (activity ? [activity] : [])),
    metadata: parts(({ metadata }) => Object.entries(metadata).map(([name, value]) => `${name}\u0000${value}`)),
  }
}

/** @returns {Tally} */
const empty = () => ({ events: 0, reads: 0, writes: 0, first: Infinity, last: -Infinity })

/** @param {Tally} tally @param {EventLine} line */
function add(tally, { event, timestamp }) {
  tally.events += 1
  if (event === "read") tally.reads += 1
  if (event === "write") tally.writes += 1
  if (!timestamp) return
  const time = Date.parse(timestamp) * 1000
  tally.first = Math.min(tally.first, time)
  tally.last = Math.max(tally.last, time)
}

/**
 * A part of the page with its heading.
 *
 * @param {string} title
 * @param {Child[]} content
 */
export const part = (title, ...content) => h("section", { class: "part" }, h("h2", {}, title), content)

/**
 * A table of values with their numbers; `links` adds a column of what to do with each.
 *
 * @param {Maybe<Tallies>} parts
 * @param {string} title
 * @param {(value: string) => Child} show
 * @param {(value: string) => Child} [links]
 */
export function tallyTable(parts, title, show, links) {
  if (!parts || parts.most.length === 0) return none("none")
  const most = Math.max(...parts.most.map(({ tally }) => tally.events))
  const amounts = ["Events", "Reads", "Writes"]
  /** @param {string} label @param {number} number */
  const amount = (label, number) => h("td", { class: "amount", "data-label": label }, count(number))
  return h("table", { class: "tallies" },
    h("thead", {}, h("tr", {}, [title, ...amounts, "First", "Last"].map((name) => h("th", { scope: "col", class: amounts.includes(name) && "amount" }, name)),
      links && h("th", { scope: "col" }, h("span", { class: "unseen" }, "More")))),
    h("tbody", {}, parts.most.map(({ value, tally }) => h("tr", {},
      h("th", { scope: "row" }, show(value), h("meter", { min: 0, max: most, value: tally.events, "aria-hidden": "true" })),
      amount("events", tally.events), amount("reads", tally.reads), amount("writes", tally.writes),
      h("td", { class: "when", "data-label": "first" }, minute(tally.first)), h("td", { class: "when", "data-label": "last" }, minute(tally.last)),
      links && h("td", { class: "links" }, links(value)))),
    parts.count > parts.most.length && h("tr", {}, h("td", { class: "none", colspan: 7 }, `and ${count(parts.count - parts.most.length)} more`))))
}

/**
 * A time without seconds: a table of many shall be read at a glance, and the exact time is a touch away.
 *
 * @param {number} micros
 */
const minute = (micros) => {
  const text = instant(micros)
  return text ? h("time", { datetime: text, title: exactly(text) }, moment(text).full.slice(0, 16)) : h("time", {}, "unknown")
}
