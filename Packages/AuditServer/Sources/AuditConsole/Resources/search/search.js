// The search: filters, the volume over time, results by pages, and new events as they arrive.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { personOf, resultTable, row } from "../ui/lines.js"
import { learn, person as personKnown } from "../ui/people.js"
import { showVolume, volumePlace } from "../ui/volume.js"
import { objectLink, pageLink, personLink, timelineLink, visit } from "../ui/links.js"
import { chipContent, chipLabel } from "../ui/parts.js"
import { plural, short } from "../ui/texts.js"
import { exportButton } from "./export-form.js"
import { filters } from "./filters.js"
import { follow } from "./follow.js"
import { saveView, viewLinks } from "./save-view.js"

const pageSize = 50

/**
 * Reads the filter out of the address; what is not known stays, and the server says so.
 *
 * @param {URLSearchParams} query
 * @returns {Record<string, string>}
 */
const filterOf = (query) => Object.fromEntries([...query].filter(([name]) => !["order", "after", "before"].includes(name)))

/**
 * Shows the page of a search, or of what auditors did, whose app is fixed.
 *
 * @param {HTMLElement} content
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 * @param {{ app?: string }} [fixed]
 */
export async function showSearch(content, query, signal, fixed = {}) {
  const filter = filterOf(query)
  await learn([filter.person], signal)
  const asked = { ...filter, ...fixed }
  const order = query.get("order") === "oldest" ? "oldest" : "newest"
  const page = location.hash.replace(/^#\/?/, "").split("?")[0] || "search"
  /** @param {Query} changes */
  const go = (changes) => {
    const next = { ...filter, order, ...changes }
    visit(pageLink(page, { ...next, order: next.order === "newest" ? "" : next.order }))
  }
  const title = titleOf(filter, fixed)
  setTitle(title)

  const volume = volumePlace()
  const state = h("p", { class: "state" }, "Searching…")
  const views = h("nav", { class: "views", "aria-label": "Saved views" })
  const rows = h("tbody", {})
  const pager = h("nav", { class: "pager", "aria-label": "Pages of results" })
  replace(content, h("div", { class: "search" },
    filters(filter, go, page, signal),
    h("section", { class: "found", "aria-labelledby": "title" },
      h("div", { class: "heading" }, h("h1", { id: "title" }, title),
        h("div", { class: "tools" }, exportButton(asked, signal), !fixed.app && [saveView(filter, signal), subjectLinks(filter)],
          follow(rows, asked, signal),
          h("button", { type: "button", class: "quiet", click: () => go({ order: order === "newest" ? "oldest" : "newest" }) },
            order === "newest" ? "Show oldest first" : "Show newest first"))),
      fixed.app && h("p", {}, h("a", { href: pageLink("trail", { activity: "unmask event" }) }, "Only where masked values of an event were shown"), ", ",
        h("a", { href: pageLink("trail", { activity: "unmask object" }) }, "or of an object")),
      views, chips(filter, go, page), volume, state, resultTable(rows), pager)))
  if (!fixed.app && Object.keys(filter).length === 0) viewLinks(views, signal)
  const first = turn(asked, order, { after: query.get("after"), before: query.get("before") }, { state, rows, pager, go }, signal)
  showVolume(volume, asked, order, first, (since, until) => go({ since, until }), signal)
  await first
}

/** @param {Record<string, string>} filter @param {{ app?: string }} fixed */
function titleOf(filter, fixed) {
  if (fixed.app) return filter.person ? `What ${short(filter.person, 40)} did as an auditor` : "What auditors and administrators did"
  if (filter.key) return `Everything about ${filter.class ?? "object"} ${short(filter.key, 24)}`
  if (filter.person) return `Everything that ${personKnown(filter.person)?.name ?? short(filter.person, 24)} did`
  return "All events"
}

/**
 * Leads to the page of the person or the object, and to the timeline.
 *
 * @param {Record<string, string>} filter
 * @returns {Child[]}
 */
function subjectLinks(filter) {
  const { text: _, ...session } = filter
  return [
    filter.key && h("a", { class: "action", href: objectLink(filter.class, filter.key) }, "This object"),
    filter.person && h("a", { class: "action", href: personLink(filter.person) }, "This person"),
    ["person", "key", "partition", "boot"].some((name) => filter[name]) && h("a", { class: "action", href: timelineLink(session) }, "Step through"),
  ]
}

/**
 * Searches page by page until there are results or nothing is left to look at; returns what was found, and where to go on.
 *
 * @param {Record<string, string>} asked
 * @param {string} order
 * @param {{ after: string | null, before: string | null }} place
 * @param {{ state: HTMLElement, rows: HTMLElement, pager: HTMLElement, go: (changes: Query) => void }} parts
 * @param {AbortSignal} signal
 * @returns {Promise<ResultPage>}
 */
async function turn(asked, order, place, { state, rows, pager, go }, signal) {
  const way = place.before ? "before" : "after"
  let cursor = place[way]
  let answer
  let start
  /** @type {EventLine[]} */
  const found = []
  do {
    /** @type {SearchAnswer} */
    answer = await api.get("search", { ...asked, order, limit: pageSize, ...(cursor && { [way]: cursor }) }, signal)
    start ??= answer
    if (way === "before") found.unshift(...answer.events)
    else found.push(...answer.events)
    await learn(answer.events.map((line) => personOf(line)), signal)
    replace(rows, found.map(row))
    cursor = answer[way] ?? null
    if (found.length >= pageSize || !cursor) break
    state.textContent = `${plural(found.length, "event")} so far, still searching…`
  } while (!signal.aborted)
  const text = found.length === 0 ? "Nothing fits." : `${plural(found.length, "event")} on this page.`
  if (found.length === 0) replace(rows, h("tr", {}, h("td", { class: "nothing", colspan: 5 }, nothing(asked))))
  state.textContent = answer.isCurrent ? text : `${text} The newest events are still being prepared for searching.`
  announce(text)
  const isLater = place.after || place.before
  /** @param {string} label @param {Query} changes */
  const button = (label, changes) => h("button", { type: "button", class: "quiet", click: () => go(changes) }, label)
  replace(pager,
    isLater && button("First page", {}),
    isLater && found.length > 0 && button("Previous", { before: found[0].cursor }),
    answer.after && button("Next", { after: answer.after }))
  // A search that looked at several pages has its other end where it began.
  return { events: found, before: place.before ? answer.before : start.before, after: place.before ? start.after : answer.after }
}

/**
 * What to do when nothing was found.
 *
 * @param {Record<string, string>} asked
 */
function nothing(asked) {
  return Object.keys(asked).length === 0
    ? "No device has sent an event yet. As soon as one does, it is here."
    : "No event that you may read fits all of the filters. Take one away, or look at a longer time. Names and keys are compared letter by letter."
}

/** @param {Record<string, string>} filter @param {(changes: Query) => void} go @param {string} page */
function chips(filter, go, page) {
  const all = Object.entries(filter)
  if (all.length === 0) return null
  return h("ul", { class: "chips", "aria-label": "Filters" },
    all.map(([name, value]) => h("li", {},
      h("button", { type: "button", class: "chip", click: () => go({ [name]: "" }), "aria-label": chipLabel(name, value) }, chipContent(name, value, 32)))),
    h("li", {}, h("a", { href: `#/${page}` }, "Clear all")))
}
