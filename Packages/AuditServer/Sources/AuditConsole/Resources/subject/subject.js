// Everything about one object, or everything that one person did: how much, when, by whom, in which activities, and in order.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { personColumns, personOf, resultTable, row } from "../ui/lines.js"
import { described, learn, person as personKnown } from "../ui/people.js"
import { maskedTag, maskedText, maskedWords } from "../ui/masked.js"
import { only, understand } from "../ui/payload.js"
import { show as showPayload } from "../ui/sheets.js"
import { unmaskObjectButton } from "../ui/unmask.js"
import { counting, showVolume, volumePlace } from "../ui/volume.js"
import { eventLink, objectLink, personLink, reconstructLink, reportLink, searchLink, timelineLink } from "../ui/links.js"
import { figure, none, notice, waiting } from "../ui/parts.js"
import { count, plural, short } from "../ui/texts.js"
import { instant, time } from "../ui/times.js"
import { part, summarized, tallyTable } from "./tallies.js"

const shownRows = 50
const shownParts = 50
const shownNames = 10

/**
 * Shows the page of an object, whose class may be unknown.
 *
 * @param {HTMLElement} content
 * @param {string} type
 * @param {string} key
 * @param {AbortSignal} signal
 */
export async function showObject(content, type, key, signal) {
  /** @type {Record<string, string>} */
  const filter = type ? { class: type, key } : { key }
  setTitle(`${type || "Object"} ${key}`)
  waiting(content, "Counting…")
  const { names } = type ? await api.get("names", { class: type, key, limit: shownNames }, signal) : { names: [] }
  if (signal.aborted) return
  return showSubject(content, {
    kind: type || "Object", name: key, names, filter, lead: "Every event that showed or changed this object, on any device.",
    tools: type && h("a", { class: "action", href: reportLink(type, key) }, "Access report"),
    reveal: type && api.isReviewer() ? { type, key } : null,
    parts: (summary) => [
      part("Who saw or changed it", people(summary, (person) => [
        type && h("a", { href: reconstructLink({ class: type, key, person }) }, "as they saw it"), " ",
        h("a", { href: searchLink({ ...filter, person, order: "oldest" }) }, "their events")])),
      part("In which activities", tallyTable(summary.activities, "Activity", (value) => h("a", { href: searchLink({ ...filter, activity: value, order: "oldest" }) }, value))),
    ],
  }, signal)
}

/**
 * Shows the page of a person: an account, or a value of metadata.
 *
 * @param {HTMLElement} content
 * @param {string} person
 * @param {AbortSignal} signal
 */
export async function showPerson(content, person, signal) {
  await learn([person], signal)
  return showSubject(content, {
    kind: "Person", name: person, known: personKnown(person), filter: { person }, lead: "Every event recorded for this account, or with this value in its metadata.",
    tools: h("a", { class: "action", href: timelineLink({ person }) }, "Step through"),
    parts: (summary) => [
      part("Activities", tallyTable(summary.activities, "Activity", (value) => h("a", { href: searchLink({ person, activity: value, order: "oldest" }) }, value))),
      part("Objects", tallyTable(summary.keys, "Key", (value) => h("a", { class: "key", href: objectLink(null, value) }, short(value, 28)))),
      part("Classes", tallyTable(summary.classes, "Class", (value) => h("a", { href: searchLink({ person, class: value, order: "oldest" }) }, value))),
      namesIn(summary).some(({ value }) => value !== person)
        && part("Who that is, by name", people(summary, (value) => h("a", { href: timelineLink({ person: value }) }, "step through"))),
      part("Accounts and runs of devices", [
        tallyTable(summary.accounts, "Account", (value) => h("a", { class: "key", href: personLink(value) }, value)),
        tallyTable(summary.boots, "Run of a device", (value) => h("a", { class: "key", href: timelineLink({ person, boot: value }) }, short(value, 16))),
      ]),
    ],
  }, signal)
}

/**
 * Shows the page of a subject.
 *
 * @param {HTMLElement} content
 * @param {Subject} subject
 * @param {AbortSignal} signal
 */
async function showSubject(content, { kind, name, names, known, filter, lead, tools, parts, reveal }, signal) {
  const label = names?.[0]?.label ?? known?.name
  setTitle(`${kind} ${label ?? name}`)
  waiting(content, "Counting…")
  const summary = await api.get("search/summary", { ...filter, limit: shownParts }, signal)
  if (signal.aborted) return
  const { all } = summary
  await learn([...namesIn(summary).map(({ value }) => value), ...summary.accounts.most.map(({ value }) => value)], signal)
  if (signal.aborted) return
  const volume = volumePlace()
  const rows = h("tbody", {})
  const more = h("p", {})
  const veil = h("div", { class: "veil" })
  // Another object may have the key of this one: how many events are its own is known when each was read.
  const isShared = !summary.isExact && Boolean(filter.class && filter.key)
  const numbers = h("div", { class: "numbers" }, all && (isShared ? counting() : tallied(summary, all, parts)))
  replace(content, h("div", { class: "subject" },
    h("div", { class: "heading" },
      h("h1", {}, h("span", { class: "kind" }, kind), " ", label ?? name, label && [" ", h("span", { class: "key" }, short(name, 28))]),
      h("div", { class: "tools" }, tools, h("a", { class: "action", href: searchLink({ ...filter, order: "oldest" }) }, "Search among these"))),
    h("p", { class: "lead" }, lead), names && names.length > 0 && called(names),
    known && h("ul", { class: "called" }, h("li", {}, h("b", {}, described(name)), ` by the directory of staff; recorded as ${name}`)),
    all ? [
      volume, veil, numbers,
      h("section", { class: "found", "aria-labelledby": "in-order" }, h("h2", { id: "in-order" }, "In order, across devices"), resultTable(rows), more),
    ] : none("No event that you may read names it.")))
  if (!all) return announce("No events.")
  announce(plural(all.events, "event"))
  const first = showRows(rows, more, filter, signal)
  /** @param {string} since @param {string} until */
  const choose = (since, until) => { location.hash = searchLink({ ...filter, since, until, order: "oldest" }) }
  showVolume(volume, filter, "oldest", first, choose, signal).then((lines) => {
    if (!isShared || signal.aborted) return
    if (!lines) return replace(numbers, none("The events were not counted."))
    const own = summarized(lines, shownParts)
    replace(numbers, tallied(own, own.all, parts))
  })
  const { events: found } = await first
  if (reveal && found.some(({ masked }) => masked)) showVeil(veil, reveal, all, signal)
}

/**
 * What an object was called, as devices recorded it, and until when.
 *
 * @param {Name[]} names
 */
const called = (names) => h("ul", { class: "called", "aria-label": "What it was called" }, names.map(({ label, app, events, lastSeen }) => h("li", {},
  "Called ", h("b", {}, label), ` in ${app}${events ? `, in ${plural(events, "event")}` : ""}, last `, time(instant(lastSeen)))))

/**
 * The numbers of a summary, and its tables.
 *
 * @param {Summary} summary
 * @param {Tally} all
 * @param {Subject["parts"]} parts
 * @returns {Child}
 */
const tallied = (summary, all, parts) => [figures(summary, all),
  !summary.isExact && h("p", { class: "caption" }, "Not all events could be counted in time: each number is at least so high."),
  h("div", { class: "parts" }, parts(summary))]

/**
 * Says that values are masked, and lets a reviewer see those of the object in a time, for a reason.
 *
 * @param {HTMLElement} place
 * @param {{ type: string, key: string }} object
 * @param {Tally} all
 * @param {AbortSignal} signal
 */
function showVeil(place, { type, key }, all, signal) {
  const [first, last] = [instant(all.first), instant(all.last)]
  if (first === null || last === null) return
  /** @param {{ events: RecordedLine[] }} answer */
  const show = (answer) => {
    const hide = h("button", { type: "button", class: "unmask", click: () => showVeil(place, { type, key }, all, signal) }, "Hide masked values")
    const title = h("h2", { id: "revealed", tabindex: -1 }, "With its masked values")
    replace(place, h("section", { class: "revealed held", "aria-labelledby": "revealed" }, title,
      notice(maskedWords.shown), hide,
      answer.events.length === 0 && none("No event of this time has masked values."),
      answer.events.map((line) => h("article", {},
        h("p", {}, time(line.timestamp), " ", line.activity, " ", h("a", { href: eventLink(line._partition, line.daybook.sequence) }, "Open the event")),
        showPayload(only(understand(line.event, line.data), type, key))))))
    announce(plural(answer.events.length, "event"))
    title.focus()
  }
  replace(place, notice(`${maskedWords.hidden} `, unmaskObjectButton({ class: type, key }, first, last, show, signal)))
}

/** @param {Summary} summary @param {Tally} all */
function figures({ isExact, accounts, activities }, { events, reads, writes, first, last }) {
  /** @param {Maybe<number>} micros @param {string} label */
  const end = (micros, label) => h("li", { class: "span" }, h("strong", {}, time(instant(micros))), h("span", {}, label))
  return h("ul", { class: "figures" },
    figure(`${isExact ? "" : "at least "}${count(events)}`, events === 1 ? "event" : "events"), figure(count(reads), "reads"), figure(count(writes), "writes"),
    figure(count(events - reads - writes), "others"), figure(count(accounts.count), accounts.count === 1 ? "account" : "accounts"),
    figure(count(activities.count), activities.count === 1 ? "activity" : "activities"),
    end(first, "first, by the device’s clock"), end(last, "last"))
}

/**
 * The values of metadata that name people.
 *
 * @param {Summary} summary
 */
const namesIn = (summary) => summary.metadata.most
  .map(({ value, tally }) => ({ column: value.split("\u0000", 1)[0], value: value.slice(value.indexOf("\u0000") + 1), tally }))
  .filter(({ column }) => personColumns.includes(column))

/**
 * The people by name, as far as the app recorded names, else the accounts.
 *
 * @param {Summary} summary
 * @param {(person: string) => Child} links
 */
function people(summary, links) {
  const named = namesIn(summary)
  const found = named.length > 0 ? { most: named, count: named.length } : summary.accounts
  return tallyTable(found, "Person", (value) => (value === maskedText ? maskedTag("string") : h("a", { href: personLink(value), title: described(value) }, personKnown(value)?.name ?? value)),
    (value) => value !== maskedText && links(value))
}

/**
 * Shows the first events, and where the others are.
 *
 * @param {HTMLElement} rows
 * @param {HTMLElement} more
 * @param {Query} filter
 * @param {AbortSignal} signal
 * @returns {Promise<ResultPage>}
 */
async function showRows(rows, more, filter, signal) {
  /** @type {EventLine[]} */
  const found = []
  /** @type {Maybe<string>} */
  let after = null
  /** @type {Maybe<string>} */
  let before = null
  do {
    /** @type {SearchAnswer} */
    const answer = await api.get("search", { ...filter, order: "oldest", limit: shownRows, ...(after && { after }) }, signal)
    found.push(...answer.events)
    await learn(answer.events.map((line) => personOf(line)), signal)
    before ??= answer.before
    after = answer.after
  } while (found.length < shownRows && after && !signal.aborted)
  replace(rows, found.map(row))
  if (after) replace(more, h("a", { href: searchLink({ ...filter, order: "oldest", after }) }, "All that follow"))
  return { events: found, before, after }
}
