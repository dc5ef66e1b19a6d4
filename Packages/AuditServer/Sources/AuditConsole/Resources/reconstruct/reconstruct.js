// A record as somebody had been shown it at a moment, next to what was known elsewhere; each value with the event that says so.

import * as api from "../ui/api.js"
import * as proofs from "../ui/proof.js"
import { verdicts } from "../event/event.js"
import { eventLink, objectLink, personLink, reconstructLink, timelineLink, visit } from "../ui/links.js"
import { holds, showJSON } from "../ui/payload.js"
import { personOf } from "../search/search.js"
import { announce, count, h, localText, plural, replace, short, time } from "../ui/elements.js"

const checkedSources = 20

export async function showReconstruction(content, query, signal) {
  const asked = Object.fromEntries(query)
  const { class: type, key } = asked
  const who = asked.person ?? asked.partition ?? asked.boot ?? Object.entries(asked).find(([name]) => name.startsWith("metadata."))?.[1]
  if (!type || !key || !who) {
    document.title = "Reconstruct · Daybook"
    return replace(content, h("div", { class: "record" }, h("h1", {}, "Reconstruct a record"),
      h("p", { class: "lead" }, "Shows one record as one person had been shown it at one moment, and what was known elsewhere by then. An event’s page leads here for each of its objects."),
      form(asked)))
  }
  const title = `${type} ${short(key, 24)} as ${short(who, 24)} saw it`
  document.title = `${title} · Daybook`
  replace(content, h("p", { class: "state" }, "Reading the events about this record…"))
  const subject = Object.fromEntries(Object.entries(asked).filter(([name]) => name !== "at"))
  const [record, own] = await Promise.all([
    api.get("reconstruct", asked, signal), api.get("search", { ...subject, order: "oldest", limit: 200 }, signal),
  ])
  if (signal.aborted) return
  const context = { links: new Set(record.links) }
  const badges = record.sources.map(() => [])
  const source = (index) => sourceLine(record.sources[index], badges[index])
  replace(content, h("div", { class: "record" },
    h("div", { class: "heading" },
      h("h1", {}, h("a", { href: objectLink(type, key) }, type, " ", h("span", { class: "key" }, short(key, 28))), " as ", h("a", { href: personLink(who) }, short(who, 28)), " saw it"),
      h("div", { class: "tools" }, h("a", { class: "action", href: timelineLink({ ...subject, class: undefined, key: undefined, until: record.moment }) }, "Session until then"))),
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

function state(record, who, source) {
  return [
    record.state === "unseen" && h("p", { class: "notice" }, record.fields.length > 0
      ? `No event shows this record to ${who} before that moment. What the events of others held by then is on the right.`
      : `No event before that moment says anything of this record.`),
    record.state === "deleted" && h("p", { class: "notice" }, `${who} had deleted it. What had been shown until then is below. `, source(record.deletion)),
    record.knownDeletion !== null && record.knownDeletion !== undefined
      && h("p", { class: "notice bad" }, `Somebody else had deleted it, and no event shows that ${who} was told. `, source(record.knownDeletion)),
  ]
}

function fields(record, who, context, source) {
  const origins = { shown: "shown", written: "written", held: "on a device" }
  const value = ({ value: text, bytes }) => (text === null || text === undefined ? h("span", { class: "none" }, `${count(bytes)} bytes, see the event`) : showJSON(text, context))
  const cell = (claim, name, label, extra) => h("td", { "data-label": label, "data-field": name }, claim
    ? [h("div", { class: "claim" }, value(claim)), h("div", { class: "source" }, `${origins[claim.origin]} `, source(claim.source)), extra]
    : extra)
  return h("table", { class: "reconstruction" },
    h("thead", {}, h("tr", {}, ["Property", `What ${short(who, 20)} had last seen or written`, `Known elsewhere, not shown to ${short(who, 20)}`].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, record.fields.map((field) => h("tr", { class: field.known ? "differs" : "" },
      h("th", { scope: "row" }, field.name, field.known && h("span", { class: "unseen" }, " (known otherwise elsewhere)")),
      cell(field.shown, field.name, "Seen", field.shown
        ? field.isOlder && h("div", { class: "older" }, "Not part of the last showing of this record.")
        : h("span", { class: "none" }, "not shown")),
      cell(field.known, field.name, "Known", field.known
        ? [field.isKnownEarlier && h("div", { class: "older" }, "Written before: the screen still showed something else."), reach(record.sources[field.known.source])]
        : h("span", { class: "none" }, "nothing else"))))))
}

/** Says whether the server could have known it then. */
function reach({ hadHappened, wasReceived }) {
  if (!hadHappened) return h("div", { class: "older" }, "Its device’s clock says it was later, but the server had it by then.")
  return wasReceived ? null : h("div", { class: "older" }, "It had not reached the server by then.")
}

function mentions(record, context, source) {
  return h("section", {}, h("h2", {}, "Shown inside other objects"),
    h("p", { class: "lead" }, "Objects with this key lay inside others that were shown. The events do not say of which class they are, so that they are not taken for the record."),
    record.mentions.map(({ within, fields: inner, source: index }) => h("article", { class: "sheet" },
      h("header", {}, h("h3", {}, "in ", within.class, " ", within.key && h("a", { class: "key", href: objectLink(within.class, within.key) }, within.key)), source(index)),
      h("dl", { class: "fields" }, inner.map(({ name, value }) => [h("dt", {}, name), h("dd", {}, value === null || value === undefined ? "too long" : showJSON(value, context))])))))
}

/** Names an event: when, who, in which activity, and whether its proof holds. */
function sourceLine({ line, isOwn }, places) {
  const badge = h("span", { class: "badge small unchecked" }, line.changed ? "Changed" : "checking…")
  if (line.changed) badge.className = "badge small broken"
  places.push(badge)
  return h("span", { class: "event-source" }, h("a", { href: eventLink(line.partition, line.sequence) }, time(line.timestamp)),
    isOwn ? "" : [" by ", h("a", { href: personLink(personOf(line)) }, short(personOf(line), 20))], ` in ${line.activity ?? "a damaged event"} `, badge)
}

/** Proves the events in this browser, and that each value stands in the bytes that were proven. */
async function check(record, key, badges, signal) {
  for (const [index, { line }] of record.sources.entries()) {
    if (index >= checkedSources) {
      mark(badges[index], "unchecked", "open the event to check it")
      continue
    }
    const answer = await api.event(line.partition, line.sequence, signal)
    const found = await proofs.check(answer.proof, answer.leafHash)
    if (signal.aborted) return
    const claims = record.fields.flatMap(({ name, shown, known }) => [shown, known].filter((claim) => claim?.source === index && claim.value !== null && claim.value !== undefined).map((claim) => ({ name, claim })))
    const isHeld = !found.event || claims.every(({ name, claim }) => holds(found.event.data, key, name, claim.value))
    const verdict = isHeld ? found.verdict : "broken"
    mark(badges[index], verdict, isHeld ? verdicts[verdict][0] : "Not in the event")
  }
}

function mark(places, verdict, text) {
  for (const badge of places) {
    badge.className = `badge small ${verdict}`
    badge.textContent = text
  }
}

/** Whose view, and of which moment: a time, or one of the person's own events about the record. */
function form(asked, events = [], moment = null) {
  const input = (name, label, value, type = "search") => h("div", { class: "field" }, h("label", { for: `record-${name}` }, label),
    h("input", { id: `record-${name}`, name, type, value, step: type === "datetime-local" ? 1 : false, required: name !== "at", autocomplete: "off", spellcheck: "false" }))
  const at = localText(moment ?? (asked.at?.includes("/") ? "" : asked.at))
  const submit = (event) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const changed = { ...asked, class: elements.class.value.trim(), key: elements.key.value.trim(), at: asked.at }
    if (elements.person) changed.person = elements.person.value.trim()
    const text = elements.at.value
    if (text !== at) changed.at = text && new Date(text).toISOString()
    visit(reconstructLink(changed))
  }
  const place = events.findIndex(({ partition, sequence }) => asked.at === `${partition}/${sequence}`)
  const go = (index) => { location.hash = reconstructLink({ ...asked, at: `${events[index].partition}/${events[index].sequence}` }) }
  const before = place > 0 ? place - 1 : place < 0 ? events.findLastIndex(({ timestamp }) => timestamp && timestamp < moment) : -1
  const after = place >= 0 ? (place + 1 < events.length ? place + 1 : -1) : events.findIndex(({ timestamp }) => timestamp > moment)
  const isOther = asked.partition || asked.boot || Object.keys(asked).some((name) => name.startsWith("metadata."))
  const isFolded = matchMedia("(max-width: 820px)").matches && moment !== null
  const steps = events.length > 0 && h("div", { class: "step-buttons", role: "group", "aria-label": "The person’s own events about this record" },
    h("button", { type: "button", class: "quiet", disabled: before < 0, click: () => go(before) }, "← Event before"),
    h("button", { type: "button", class: "quiet", disabled: after < 0, click: () => go(after) }, "Event after →"))
  return [h("details", { class: "session-of", open: !isFolded }, h("summary", {}, "Which record, whose view, which moment"), h("form", { class: "session-form", submit, "aria-label": "Which record, whose view and which moment" },
    input("class", "Class", asked.class ?? ""), input("key", "Key", asked.key ?? ""),
    (asked.person || !isOther) && input("person", "Person", asked.person ?? ""), input("at", "Moment", at, "datetime-local"),
    h("button", { type: "submit" }, "Show"))), steps]
}
