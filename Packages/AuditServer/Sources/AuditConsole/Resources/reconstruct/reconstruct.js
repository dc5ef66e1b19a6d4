// A record as somebody had been shown it at a moment, next to what was known elsewhere; each value with the event that says so.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { personOf } from "../ui/lines.js"
import { holds } from "../ui/payload.js"
import { check as checkProof } from "../ui/proof.js"
import { verdicts } from "../ui/reading.js"
import { eventLink, objectLink, personLink, timelineLink } from "../ui/links.js"
import { notice, pairs, tableHead, waiting } from "../ui/parts.js"
import { count, plural, short } from "../ui/texts.js"
import { time } from "../ui/times.js"
import { showJSON } from "../ui/values.js"
import { form } from "./record-form.js"

const checkedSources = 20

/** @param {HTMLElement} content @param {URLSearchParams} query @param {AbortSignal} signal */
export async function showReconstruction(content, query, signal) {
  /** @type {Record<string, string>} */
  const asked = Object.fromEntries(query)
  const { class: type, key } = asked
  const who = asked.person ?? asked.partition ?? asked.boot ?? Object.entries(asked).find(([name]) => name.startsWith("metadata."))?.[1]
  if (!type || !key || !who) {
    setTitle("Reconstruct")
    return replace(content, h("div", { class: "record" }, h("h1", {}, "Reconstruct a record"),
      h("p", { class: "lead" }, "Shows one record as one person had been shown it at one moment, and what was known elsewhere by then. An event’s page leads here for each of its objects."),
      form(asked)))
  }
  const title = `${type} ${short(key, 24)} as ${short(who, 24)} saw it`
  setTitle(title)
  waiting(content, "Reading the events about this record…")
  const subject = Object.fromEntries(Object.entries(asked).filter(([name]) => name !== "at"))
  const [record, own] = await Promise.all([
    api.get("reconstruct", asked, signal), api.get("search", { ...subject, order: "oldest", limit: 200 }, signal),
  ])
  if (signal.aborted) return
  const context = { links: new Set(record.links) }
  /** @type {HTMLElement[][]} */
  const badges = record.sources.map(() => [])
  /** @param {number} index */
  const source = (index) => sourceLine(record.sources[index], badges[index])
  replace(content, h("div", { class: "record" },
    h("div", { class: "heading" },
      h("h1", {}, h("a", { href: objectLink(type, key) }, type, " ", h("span", { class: "key" }, short(key, 28))), " as ", h("a", { href: personLink(who) }, short(who, 28)), " saw it"),
      h("div", { class: "tools" }, h("a", { class: "action", href: timelineLink({ ...subject, class: null, key: null, until: record.moment }) }, "Session until then"))),
    h("p", { class: "moment" }, "At ", time(record.moment), " by the device’s clock."),
    form(asked, own.events, record.moment),
    state(record, who, source),
    record.fields.length > 0 && fields(record, who, context, source),
    record.mentions.length > 0 && mentions(record, context, source),
    h("p", { class: "caption" }, `Made of ${plural(record.ownEvents, "event")} of ${short(who, 24)} and ${plural(record.otherEvents, "event")} of others. `,
      record.isComplete ? "" : "There are more events about this record than are read for one page: older ones may have said more. ",
      record.damagedEvents > 0 ? `${plural(record.damagedEvents, "event")} about it cannot be read any more. ` : "",
      "What no event holds is not known and not shown here.")))
  announce(`${plural(record.fields.length, "property", "properties")}`)
  await check(record, key, badges, signal)
}

/**
 * What is to be known of the whole record.
 *
 * @param {Reconstruction} record
 * @param {string} who
 * @param {(index: number) => Child} source
 */
function state({ state, fields, deletion, knownDeletion }, who, source) {
  return [
    state === "unseen" && notice(fields.length > 0
      ? `No event shows this record to ${who} before that moment. What the events of others held by then is on the right.`
      : "No event before that moment says anything of this record."),
    state === "deleted" && notice(`${who} had deleted it. What had been shown until then is below. `, deletion !== null && deletion !== undefined && source(deletion)),
    knownDeletion !== null && knownDeletion !== undefined
      && h("p", { class: "notice bad" }, `Somebody else had deleted it, and no event shows that ${who} was told. `, source(knownDeletion)),
  ]
}

/**
 * @param {Reconstruction} record
 * @param {string} who
 * @param {PayloadContext} context
 * @param {(index: number) => Child} source
 */
function fields(record, who, context, source) {
  /** @type {Record<string, string>} */
  const origins = { shown: "shown", written: "written", held: "on a device" }
  /** @param {Claim} claim */
  const value = ({ value: text, bytes }) => (text === null || text === undefined ? h("span", { class: "none" }, `${count(bytes)} bytes, see the event`) : showJSON(text, context))
  /** @param {Maybe<Claim>} claim @param {string} name @param {string} label @param {Child} extra */
  const cell = (claim, name, label, extra) => h("td", { "data-label": label, "data-field": name }, claim
    ? [h("div", { class: "claim" }, value(claim)), h("div", { class: "source" }, `${origins[claim.origin]} `, source(claim.source)), extra]
    : extra)
  return h("table", { class: "reconstruction" },
    tableHead("Property", `What ${short(who, 20)} had last seen or written`, `Known elsewhere, not shown to ${short(who, 20)}`),
    h("tbody", {}, record.fields.map((field) => h("tr", { class: field.known ? "differs" : "" },
      h("th", { scope: "row" }, field.name, field.known && h("span", { class: "unseen" }, " (known otherwise elsewhere)")),
      cell(field.shown, field.name, "Seen", field.shown
        ? field.isOlder && h("div", { class: "older" }, "Not part of the last showing of this record.")
        : h("span", { class: "none" }, "not shown")),
      cell(field.known, field.name, "Known", field.known
        ? [field.isKnownEarlier && h("div", { class: "older" }, "Written before: the screen still showed something else."), reach(record.sources[field.known.source])]
        : h("span", { class: "none" }, "nothing else"))))))
}

/**
 * Says whether the server could have known it then.
 *
 * @param {Source} source
 */
function reach({ hadHappened, wasReceived }) {
  if (!hadHappened) return h("div", { class: "older" }, "Its device’s clock says it was later, but the server had it by then.")
  return wasReceived ? null : h("div", { class: "older" }, "It had not reached the server by then.")
}

/** @param {Reconstruction} record @param {PayloadContext} context @param {(index: number) => Child} source */
function mentions(record, context, source) {
  return h("section", {}, h("h2", {}, "Shown inside other objects"),
    h("p", { class: "lead" }, "Objects with this key lay inside others that were shown. The events do not say of which class they are, so that they are not taken for the record."),
    record.mentions.map(({ within, fields: inner, source: index }) => h("article", { class: "sheet" },
      h("header", {}, h("h3", {}, "in ", within.class, " ", within.key && h("a", { class: "key", href: objectLink(within.class, within.key) }, within.key)), source(index)),
      pairs({ class: "fields" }, inner.map(({ name, value }) => [name, value === null || value === undefined ? "too long" : showJSON(value, context)])))))
}

/**
 * Names an event: when, who, in which activity, and whether its proof holds.
 *
 * @param {Source} source
 * @param {HTMLElement[]} places
 */
function sourceLine({ line, isOwn }, places) {
  const badge = h("span", { class: "badge small unchecked" }, line.changed ? "Changed" : "checking…")
  if (line.changed) badge.className = "badge small broken"
  places.push(badge)
  return h("span", { class: "event-source" }, h("a", { href: eventLink(line.partition, line.sequence) }, time(line.timestamp)),
    isOwn ? "" : [" by ", h("a", { href: personLink(personOf(line)) }, short(personOf(line), 20))], ` in ${line.activity ?? "a damaged event"} `, badge)
}

/**
 * Proves the events in this browser, and that each value stands in the bytes that were proven.
 *
 * @param {Reconstruction} record
 * @param {string} key
 * @param {HTMLElement[][]} badges
 * @param {AbortSignal} signal
 */
async function check(record, key, badges, signal) {
  for (const [index, { line }] of record.sources.entries()) {
    if (index >= checkedSources) {
      mark(badges[index], "unchecked", "open the event to check it")
      continue
    }
    const answer = await api.event(line.partition, line.sequence, signal)
    const found = await checkProof(answer.proof, answer.leafHash)
    if (signal.aborted) return
    const { event } = found
    const claims = record.fields.flatMap(({ name, shown, known }) => [shown, known].map((claim) => ({ name, claim }))).filter(({ claim }) => claim?.source === index)
    const isHeld = !event || claims.every(({ name, claim }) => {
      const value = claim?.value
      return value === null || value === undefined || holds(event.data ?? "", key, name, value)
    })
    const verdict = isHeld ? found.verdict : "broken"
    mark(badges[index], verdict, isHeld ? verdicts[verdict][0] : "Not in the event")
  }
}

/** @param {HTMLElement[]} places @param {string} verdict @param {string} text */
function mark(places, verdict, text) {
  for (const badge of places) {
    badge.className = `badge small ${verdict}`
    badge.textContent = text
  }
}
