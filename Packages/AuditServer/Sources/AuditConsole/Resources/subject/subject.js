// Everything about one object, or everything that one person did: how much, when, by whom, in which activities, and in order.

import * as api from "../ui/api.js"
import { eventLink, objectLink, personLink, reconstructLink, searchLink, timelineLink } from "../ui/links.js"
import { only, show as showPayload, understand } from "../ui/payload.js"
import { personColumns, row } from "../search/search.js"
import { maskedTag, maskedText, unmaskObjectButton } from "../ui/unmask.js"
import { summarized } from "./tallies.js"
import { showVolume } from "../ui/volume.js"
import { announce, count, exactly, h, moment, plural, replace, short, time } from "../ui/elements.js"

const shownRows = 50
const shownParts = 50

/** Shows the page of an object: `class` may be unknown. */
export function showObject(content, type, key, signal) {
  const filter = type ? { class: type, key } : { key }
  return showSubject(content, {
    kind: type || "Object", name: key, filter, lead: "Every event that showed or changed this object, on any device.",
    reveal: type && api.session?.role === "reviewer" && { type, key },
    parts: (summary) => [
      part("Who saw or changed it", people(summary, (person) => [
        type && h("a", { href: reconstructLink({ class: type, key, person }) }, "as they saw it"), " ",
        h("a", { href: searchLink({ ...filter, person, order: "oldest" }) }, "their events")])),
      part("In which activities", table(summary.activities, "Activity", (value) => h("a", { href: searchLink({ ...filter, activity: value, order: "oldest" }) }, value))),
    ],
  }, signal)
}

/** Shows the page of a person: an account, or a value of metadata. */
export function showPerson(content, person, signal) {
  return showSubject(content, {
    kind: "Person", name: person, filter: { person }, lead: "Every event recorded for this account, or with this value in its metadata.",
    tools: h("a", { class: "action", href: timelineLink({ person }) }, "Step through"),
    parts: (summary) => [
      part("Activities", table(summary.activities, "Activity", (value) => h("a", { href: searchLink({ person, activity: value, order: "oldest" }) }, value))),
      part("Objects", table(summary.keys, "Key", (value) => h("a", { class: "key", href: objectLink(null, value) }, short(value, 28)))),
      part("Classes", table(summary.classes, "Class", (value) => h("a", { href: searchLink({ person, class: value, order: "oldest" }) }, value))),
      namesIn(summary).some(({ value }) => value !== person)
        && part("Who that is, by name", people(summary, (value) => h("a", { href: timelineLink({ person: value }) }, "step through"))),
      part("Accounts and runs of devices", [
        table(summary.accounts, "Account", (value) => h("a", { class: "key", href: personLink(value) }, value)),
        table(summary.boots, "Run of a device", (value) => h("a", { class: "key", href: timelineLink({ person, boot: value }) }, short(value, 16))),
      ]),
    ],
  }, signal)
}

async function showSubject(content, { kind, name, filter, lead, tools, parts, reveal }, signal) {
  document.title = `${kind} ${name} · Daybook`
  replace(content, h("p", { class: "state" }, "Counting…"))
  const summary = await api.get("search/summary", { ...filter, limit: shownParts }, signal)
  if (signal.aborted) return
  const volume = h("div", { class: "volume-place", "aria-busy": "true" })
  const rows = h("tbody", {})
  const more = h("p", {})
  const veil = h("div", { class: "veil" })
  const all = summary.all
  // Another object may have the key of this one: how many events are its own is known when each was read.
  const isShared = !summary.isExact && Boolean(filter.class && filter.key)
  const numbers = h("div", { class: "numbers" }, all && (isShared ? h("p", { class: "none counting" }, "Counting…") : tallied(summary, parts)))
  replace(content, h("div", { class: "subject" },
    h("div", { class: "heading" },
      h("h1", {}, h("span", { class: "kind" }, kind), " ", name),
      h("div", { class: "tools" }, tools, h("a", { class: "action", href: searchLink({ ...filter, order: "oldest" }) }, "Search among these"))),
    h("p", { class: "lead" }, lead),
    all === null || all === undefined
      ? h("p", { class: "none" }, "No event that you may read names it.")
      : [
        volume, veil, numbers,
        h("section", { class: "found", "aria-labelledby": "in-order" }, h("h2", { id: "in-order" }, "In order, across devices"),
          h("table", { class: "results" }, h("thead", {}, h("tr", {}, ["Time", "Person", "Activity", "What", "Proof"].map((title) => h("th", { scope: "col" }, title)))), rows), more),
      ]))
  if (!all) return announce("No events.")
  announce(plural(all.events, "event"))
  const first = showRows(rows, more, filter, signal)
  const choose = (since, until) => { location.hash = searchLink({ ...filter, since, until, order: "oldest" }) }
  showVolume(volume, filter, "oldest", first, choose, signal).then((counted) => {
    if (!isShared || signal.aborted) return
    replace(numbers, counted?.lines ? tallied(summarized(counted.lines, shownParts), parts) : h("p", { class: "none" }, "The events were not counted."))
  })
  const { events: found } = await first
  if (reveal && found.some(({ masked }) => masked)) showVeil(veil, reveal, all, signal)
}

/** The numbers of a summary, and its tables. */
const tallied = (summary, parts) => [figures(summary),
  !summary.isExact && h("p", { class: "caption" }, "Not all events could be counted in time: each number is at least so high."),
  h("div", { class: "parts" }, parts(summary))]

/** Says that values are masked, and lets a reviewer see those of the object in a time, for a reason. */
function showVeil(place, { type, key }, all, signal) {
  const [first, last] = [instant(all.first), instant(all.last)]
  if (first === null || last === null) return
  const show = (answer) => {
    const hide = h("button", { type: "button", class: "unmask", click: () => showVeil(place, { type, key }, all, signal) }, "Hide masked values")
    const title = h("h2", { id: "revealed", tabindex: -1 }, "With its masked values")
    replace(place, h("section", { class: "revealed held", "aria-labelledby": "revealed" }, title,
      h("p", { class: "notice" }, "Masked values are shown. That you looked, and why, is recorded."), hide,
      answer.events.length === 0 && h("p", { class: "none" }, "No event of this time has masked values."),
      answer.events.map((line) => h("article", {},
        h("p", {}, time(line.timestamp), " ", line.activity, " ", h("a", { href: eventLink(line._partition, line.daybook.sequence) }, "Open the event")),
        showPayload(only(understand(line.event, line.data), type, key))))))
    announce(plural(answer.events.length, "event"))
    title.focus()
  }
  replace(place, h("p", { class: "notice" }, "Values that the app’s rules mask are not shown. ", unmaskObjectButton({ class: type, key }, first, last, show, signal)))
}

function figures({ all, isExact, accounts, activities }) {
  const figure = (value, label) => h("li", {}, h("strong", {}, value), h("span", {}, label))
  const least = isExact ? "" : "at least "
  return h("ul", { class: "figures" },
    figure(`${least}${count(all.events)}`, all.events === 1 ? "event" : "events"), figure(count(all.reads), "reads"), figure(count(all.writes), "writes"),
    figure(count(all.events - all.reads - all.writes), "others"), figure(count(accounts.count), accounts.count === 1 ? "account" : "accounts"),
    figure(count(activities.count), activities.count === 1 ? "activity" : "activities"),
    h("li", { class: "span" }, h("strong", {}, time(instant(all.first))), h("span", {}, "first, by the device’s clock")),
    h("li", { class: "span" }, h("strong", {}, time(instant(all.last))), h("span", {}, "last")))
}

const instant = (micros) => (Math.abs(micros) < 8.64e18 ? new Date(micros / 1000).toISOString() : null)

const part = (title, content) => h("section", { class: "part" }, h("h2", {}, title), content)

/** A time without seconds: a table of many shall be read at a glance, and the exact time is a touch away. */
const minute = (micros) => {
  const text = instant(micros)
  return h("time", { datetime: text, title: text && exactly(text) }, moment(text)?.full.slice(0, 16) ?? "unknown")
}

/** The values of metadata that name people. */
const namesIn = (summary) => summary.metadata.most
  .map(({ value, tally }) => ({ column: value.split("\u0000", 1)[0], value: value.slice(value.indexOf("\u0000") + 1), tally }))
  .filter(({ column }) => personColumns.includes(column))

/** The people by name, as far as the app recorded names, else the accounts. */
function people(summary, links) {
  const named = namesIn(summary)
  const found = named.length > 0 ? { most: named, count: named.length } : summary.accounts
  return table(found, "Person", (value) => (value === maskedText ? maskedTag("string") : h("a", { href: personLink(value) }, value)),
    (value) => value !== maskedText && links(value))
}

/** A table of values with their numbers; `links` adds a column of what to do with each. */
function table(parts, title, show, links) {
  if (parts.most.length === 0) return h("p", { class: "none" }, "none")
  const most = Math.max(...parts.most.map(({ tally }) => tally.events))
  return h("table", { class: "tallies" },
    h("thead", {}, h("tr", {}, [title, "Events", "Reads", "Writes", "First", "Last", links && ""].filter((name) => name !== undefined && name !== false)
      .map((name) => h("th", { scope: "col", class: ["Events", "Reads", "Writes"].includes(name) && "amount" }, name || h("span", { class: "unseen" }, "More"))))),
    h("tbody", {}, parts.most.map(({ value, tally }) => h("tr", {},
      h("th", { scope: "row" }, show(value), h("meter", { min: 0, max: most, value: tally.events, "aria-hidden": "true" })),
      h("td", { class: "amount", "data-label": "events" }, count(tally.events)), h("td", { class: "amount", "data-label": "reads" }, count(tally.reads)),
      h("td", { class: "amount", "data-label": "writes" }, count(tally.writes)),
      h("td", { class: "when", "data-label": "first" }, minute(tally.first)), h("td", { class: "when", "data-label": "last" }, minute(tally.last)),
      links && h("td", { class: "links" }, links(value)))),
    parts.count > parts.most.length && h("tr", {}, h("td", { class: "none", colspan: 7 }, `and ${count(parts.count - parts.most.length)} more`))))
}

async function showRows(rows, more, filter, signal) {
  const found = []
  let answer = { after: null }
  let before = null
  do {
    answer = await api.get("search", { ...filter, order: "oldest", limit: shownRows, ...(answer.after ? { after: answer.after } : {}) }, signal)
    found.push(...answer.events)
    before ??= answer.before
  } while (found.length < shownRows && answer.after && !signal.aborted)
  replace(rows, found.map(row))
  if (answer.after) replace(more, h("a", { href: searchLink({ ...filter, order: "oldest", after: answer.after }) }, "All that follow"))
  return { events: found, before, after: answer.after }
}
