// The access report: who looked at one record and what they did with it, in words for the person whose record it is, to be printed.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { attempts, filledIn, formOf, inputField } from "../ui/forms.js"
import { objectLink, reportLink, visit as open } from "../ui/links.js"
import { personOf } from "../ui/lines.js"
import { notice, pairs, problem, tableHead, waiting } from "../ui/parts.js"
import { described, learn } from "../ui/people.js"
import { read } from "../ui/reading.js"
import { fromLocal, localText, zoneName } from "../ui/times.js"
import { languages, preferred, speaker } from "./report-words.js"
import { visits } from "./visits.js"

/** How many events a report is made of at most. */
const maximumEvents = 5000
const pageSize = 200
/** How many proofs are asked for at once. */
const atOnce = 4
/** How long to wait, in milliseconds, when the server has had enough questions for now. */
const breath = 1000

/**
 * Shows the report of an object.
 *
 * @param {HTMLElement} content
 * @param {string} type
 * @param {string} key
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 */
export async function showReport(content, type, key, query, signal) {
  if (!type || !key) {
    setTitle("Access report")
    return replace(content, problem("Which record?", "A report is about one record. Open the page of an object, by its name or its key, and choose “Access report” there.",
      h("a", { href: "#/search" }, "Go to the search")))
  }
  const [since, until] = ["since", "until"].map((name) => query.get(name) ?? "")
  const language = query.get("language") ?? preferred(navigator.languages)
  const isNamed = query.get("staff") !== "hidden"
  waiting(content, "Reading…")
  const filter = { class: type, key, ...(since && { since }), ...(until && { until }) }
  const [{ names }, found] = await Promise.all([api.get("names", { class: type, key, limit: 1 }, signal), readAll(filter, signal)])
  await learn(isNamed ? found.lines.map((line) => personOf(line)) : [], signal)
  if (signal.aborted) return
  const name = names[0]?.label ?? key
  const asked = { since, until, language, staff: isNamed ? "" : "hidden" }
  const proofs = h("p", { class: "proofs" })
  const report = page({ type, key, name, since, until, isNamed, ...found }, language, proofs)
  setTitle(`${speaker(language)("title")}: ${name}`)
  replace(content, h("div", { class: "report-page" }, form(type, key, asked, found.lines, { proofs, language }, signal), report))
  announce(speaker(language)("visits", { n: report.querySelectorAll("tbody tr").length }))
}

/**
 * All events of a filter, the oldest first, as far as a report holds them.
 *
 * @param {Query} filter
 * @param {AbortSignal} signal
 */
async function readAll(filter, signal) {
  /** @type {EventLine[]} */
  const lines = []
  /** @type {Maybe<string>} */
  let after = null
  do {
    /** @type {SearchAnswer} */
    const answer = await patiently(() => api.get("search", { ...filter, order: "oldest", limit: pageSize, ...(after && { after }) }, signal), signal)
    lines.push(...answer.events)
    after = answer.after
  } while (after && lines.length < maximumEvents)
  return { lines: lines.slice(0, maximumEvents), isWhole: !after && lines.length <= maximumEvents }
}

/**
 * What the report is of, and what may be done with it; none of it is printed.
 *
 * @param {string} type @param {string} key @param {Record<string, string>} asked @param {EventLine[]} lines
 * @param {{ proofs: HTMLElement, language: string }} place @param {AbortSignal} signal
 */
function form(type, key, asked, lines, { proofs, language }, signal) {
  const { message, attempt } = attempts(signal)
  const submit = attempt((event) => {
    const filled = formOf(event)
    const names = filled.elements.namedItem("staff")
    open(reportLink(type, key, {
      since: fromLocal(filledIn(filled, "since") ?? ""), until: fromLocal(filledIn(filled, "until") ?? ""),
      language: filledIn(filled, "language"), staff: names instanceof HTMLInputElement && !names.checked ? "hidden" : "",
    }))
  })
  const check = attempt(() => checkAll(lines, language, proofs, signal))
  return h("form", { class: "session-form report-form", submit, "aria-label": "The report" },
    inputField("report-since", "From, by the device’s clock", { name: "since", type: "datetime-local", step: 1, value: localText(asked.since) }),
    inputField("report-until", "Until", { name: "until", type: "datetime-local", step: 1, value: localText(asked.until) }),
    h("div", { class: "field" }, h("label", { for: "report-language" }, "Language"),
      h("select", { id: "report-language", name: "language" }, languages.map(({ code, name }) => h("option", { value: code, lang: code, selected: code === language }, name)))),
    h("label", { class: "check", for: "report-staff" }, h("input", { id: "report-staff", name: "staff", type: "checkbox", checked: asked.staff !== "hidden" }), " Name the staff"),
    h("button", { type: "submit" }, "Make the report"),
    h("button", { type: "button", class: "quiet", id: "report-check", click: check }, "Check the proofs"),
    h("button", { type: "button", class: "quiet", click: () => print() }, "Print or save as PDF"),
    h("a", { class: "action", href: objectLink(type, key) }, "The record’s page"), message)
}

/**
 * The report itself, in its language.
 *
 * @param {{ type: string, key: string, name: string, since: string, until: string, isNamed: boolean, lines: EventLine[], isWhole: boolean }} report
 * @param {string} language
 * @param {HTMLElement} proofs
 */
function page({ type, key, name, since, until, isNamed, lines, isWhole }, language, proofs) {
  const say = speaker(language)
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })
  const span = new Intl.DateTimeFormat(language, { weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" })
  const all = visits(lines, type, key)
  /** @type {string[]} */
  const people = []
  for (const { person } of all) if (!people.includes(person)) people.push(person)
  /** @param {string} text */
  const date = (text) => dates.format(new Date(text))
  const unreadable = lines.filter(({ timestamp }) => !timestamp).length
  const last = all.at(-1)
  return h("article", { class: "report", lang: language },
    h("h1", {}, say("title")),
    pairs({ class: "report-head" }, [
      [say("record"), [h("b", {}, name), name === key ? ` (${type})` : ` (${type} ${key})`]],
      [say("period"), since && until ? say("span", { from: date(since), until: date(until) }) : since ? say("from", { from: date(since) })
        : until ? say("until", { until: date(until) }) : say("everything")],
      [say("zone"), say("zoneOf", { zone: zoneName() })],
      [say("made"), say("madeBy", { time: dates.format(new Date()), who: api.session?.name ?? "" })],
    ]),
    h("p", {}, say("lead")),
    all.length > 0 && h("p", { class: "report-sum" }, h("b", {}, say("visits", { n: all.length })), " ", say("people", { n: people.length })),
    !isWhole && last && notice(say("more", { until: dates.format(last.until) })),
    unreadable > 0 && notice(say("unreadable", { n: unreadable })),
    all.length === 0 ? h("p", { class: "none" }, say("nobody")) : h("table", { class: "visits" },
      tableHead(say("when"), say("who"), say("what"), say("activity"), say("reason")),
      h("tbody", {}, all.map((visit) => h("tr", {},
        h("td", { "data-label": say("when") }, h("time", { datetime: new Date(visit.from).toISOString() }, span.formatRange(visit.from, visit.until))),
        h("td", { "data-label": say("who") }, isNamed ? described(visit.person) || "—" : say("employee", { n: people.indexOf(visit.person) + 1 })),
        h("td", { "data-label": say("what") }, happened(visit, say)),
        h("td", { "data-label": say("activity") }, visit.activities.join("; ") || "—"),
        h("td", { "data-label": say("reason") }, visit.reasons.join("; ") || say("none")))))),
    proofs, h("p", {}, say("question")))
}

/** @param {Visit} visit @param {ReturnType<typeof speaker>} say */
function happened(visit, say) {
  const fields = visit.hasMoreFields ? [...visit.fields, "…"] : visit.fields
  return [
    visit.seen > 0 && say("seen", { n: visit.seen }),
    visit.created > 0 && say("created"),
    visit.changed > 0 && (visit.fields.length > 0 ? say("changedFields", { fields: fields.join(", ") }) : say("changed")),
    visit.deleted > 0 && say("deleted"),
  ].filter(Boolean).join("; ")
}

/**
 * Asks again and again while the server says that there are too many questions: a report has many, and nobody waits for one of them alone.
 *
 * @template Result
 * @param {() => Promise<Result>} ask
 * @param {AbortSignal} signal
 * @returns {Promise<Result>}
 */
async function patiently(ask, signal) {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (error.status !== 429 || signal.aborted) throw error
      await new Promise((done) => { setTimeout(done, breath) })
    }
  }
}

/**
 * Whether a line of the report says what the proven event says: a list comes from the server's index, and the proof from the device.
 *
 * @param {EventLine} line
 * @param {DecodedEvent} event
 */
const isSame = (line, event) => line.activity === event.activity && (line.event ?? null) === (event.event ?? null)
  && Date.parse(line.timestamp ?? "") === Date.parse(event.timestamp ?? "")
  && event.metadata.length === Object.keys(line.metadata).length && event.metadata.every(([key, value]) => line.metadata[key] === value)

/**
 * Checks the proof of each event in this browser, and says how many hold.
 *
 * @param {EventLine[]} lines
 * @param {string} language
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function checkAll(lines, language, place, signal) {
  const say = speaker(language)
  const button = document.getElementById("report-check")
  /** @type {Record<string, number>} */
  const verdicts = { broken: 0, proven: 0, held: 0, masked: 0, unchecked: 0 }
  const waitingLines = [...lines]
  const work = async () => {
    for (let line = waitingLines.pop(); line; line = waitingLines.pop()) {
      const { partition, sequence } = line
      const { found } = await read(await patiently(() => api.event(partition, sequence, signal), signal), partition, sequence)
      const isOther = found.event !== null && !isSame(line, found.event)
      // An erased event has its place in the tree, as a masked one has.
      verdicts[isOther ? "broken" : found.verdict === "erased" ? "masked" : found.verdict] += 1
      if (button) button.textContent = `Checking… ${lines.length - waitingLines.length} of ${lines.length}`
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    if (button) button.textContent = "Check the proofs"
  }
  const told = Object.entries(verdicts).filter(([, n]) => n > 0).map(([verdict, n]) => say(verdict, { n }))
  place.classList.toggle("notice", verdicts.broken > 0)
  replace(place, h("b", {}, say("proof")), ": ", told.join(" "))
  announce(told.join(" "))
}
