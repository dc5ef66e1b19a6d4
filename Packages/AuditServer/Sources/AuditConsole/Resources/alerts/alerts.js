// Alerts: what reviewers are to look at, and how many of them are open.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { personColumns, proofLink } from "../ui/lines.js"
import { maskedTag, maskedText } from "../ui/masked.js"
import { foldedNotes } from "../ui/notes.js"
import { attempts } from "../ui/forms.js"
import { eventLink, objectLink, searchLink } from "../ui/links.js"
import { none, pairs } from "../ui/parts.js"
import { count, plural } from "../ui/texts.js"
import { time } from "../ui/times.js"
import { inZone } from "../ui/words.js"

/** @type {Record<string, string>} */
const kinds = {
  afterHours: "Work after hours", massRead: "Very much was read", breakGlass: "Emergency access", namedRecord: "A named record",
  gap: "A partition is missing", loss: "A device lost events", conflict: "Two events have one id", verifyFailure: "The proof fails",
  revokedKey: "Sealed with a revoked key",
  overdueReview: "A review is overdue", retention: "More has expired than goes in a day", clock: "The server's clock is wrong",
  quota: "A quota is used up", manyAlerts: "Very many alerts",
}

/**
 * What the list says when it is empty.
 *
 * @type {Record<string, string>}
 */
const empty = {
  open: "No alert is open: nothing waits for you here.", acknowledged: "Nobody has acknowledged an alert yet.", all: "The server has raised no alert.",
}

/** Shows in the bar how many alerts are open. */
export async function countAlerts() {
  // Whoever may not see alerts has no place for their number.
  const place = document.getElementById("alert-count")
  if (!place) return
  try {
    const { open } = await api.get("alerts/count")
    place.textContent = open > 0 ? count(open) : ""
    place.setAttribute("aria-label", open > 0 ? `${plural(open, "open alert")}` : "")
    place.hidden = open === 0
  } catch {
    // The page of alerts says what is wrong.
    place.hidden = true
  }
}

/** @param {HTMLElement} content @param {URLSearchParams} query @param {AbortSignal} signal */
export async function showAlerts(content, query, signal) {
  setTitle("Alerts")
  const state = query.get("state") ?? "open"
  const list = h("ul", { class: "cards" })
  const more = h("nav", { class: "pager", "aria-label": "Pages of alerts" })
  const { message, attempt } = attempts(signal)
  /** @param {string | null} after */
  const read = async (after) => {
    const page = await api.get("alerts", { state, limit: 50, ...(after && { after }) }, signal)
    const next = page.after
    list.append(...page.alerts.map((alert) => card(alert, signal)))
    replace(more, next && h("button", { type: "button", class: "quiet", id: "more-alerts", click: attempt(() => read(next)) }, "More"))
    return page
  }
  const page = await read(null)
  /** @param {string} value @param {string} label */
  const tab = (value, label) => h("a", { href: `#/alerts?state=${value}`, "aria-current": state === value && "true" }, label)
  replace(content, h("div", { class: "kept" },
    h("h1", {}, "Alerts"),
    h("p", { class: "lead" }, "The server raises them by the rules of its configuration, and when something is missing or changed. Each stays until a reviewer says what it was."),
    h("nav", { class: "tabs", "aria-label": "Which alerts" }, tab("open", `Open (${count(page.open)})`), tab("acknowledged", "Acknowledged"), tab("all", "All")),
    page.alerts.length === 0 && none(empty[state] ?? empty.acknowledged),
    !page.isCurrent && h("p", { class: "state" }, "The newest events are still being looked at."),
    list, message, more))
}

/** @param {Alert} alert @param {AbortSignal} signal */
function card(alert, signal) {
  const item = h("li", {})
  fill(item, alert, signal)
  return item
}

/** @param {HTMLElement} item @param {Alert} alert @param {AbortSignal} signal */
function fill(item, alert, signal) {
  const { shown, partition, sequence, person, class: type, key } = alert
  const target = partition && (sequence ? eventLink(partition, sequence) : searchLink({ partition, order: "oldest" }))
  item.className = `card alert ${alert.answer ? "answered" : "open"}`
  replace(item,
    h("header", {}, h("h2", {}, kinds[alert.kind] ?? alert.kind), h("span", { class: "tag" }, alert.rule)),
    pairs({ class: "range" }, [
      ["Person", person && h("a", { href: searchLink({ person, app: alert.app, order: "oldest" }) }, person)],
      ["Object", type && (key ? h("a", { href: searchLink({ class: type, key, order: "oldest" }) }, `${type} ${key}`) : type)],
      ["Record", shown && shown.objects.length > 0 && records(shown)],
      ...(shown ? saidBy(shown, person) : []),
      ["How many", alert.count && count(alert.count)],
      ["When", alert.from === alert.through ? time(alert.from) : [time(alert.from), " to ", time(alert.through)]],
      ["App", alert.app],
      ["What", alert.detail && inZone(alert.detail)],
    ]),
    none("Raised ", time(alert.raised), " · ", proofLink(alert.event),
      target && [" · ", h("a", { href: target }, sequence ? "Open the event" : "Open the partition")],
      alert.review && [" · ", h("a", { href: "#/reviews" }, "Open the reviews")]),
    alert.answer ? answer(alert.answer) : api.isReviewer() && acknowledge(item, alert, signal),
    foldedNotes({ alert: alert.id }, signal))
}

/**
 * The records that an emergency access was to.
 *
 * @param {ShownRecords} shown
 */
const records = ({ objects, objectCount }) => [
  objects.map(({ class: type, key }, index) => [index > 0 && ", ", h("a", { href: objectLink(type, key) }, `${type ?? "Object"} ${key}`)]),
  objectCount > objects.length && ` and ${count(objectCount - objects.length)} more`,
]

/**
 * What an event says of itself: its metadata, such as a reason, and the values of a payload that names no record.
 *
 * @param {ShownRecords} shown
 * @param {Maybe<string>} person
 */
function saidBy({ metadata, excerpt }, person) {
  const said = Object.entries(metadata).filter(([name, value]) => !(personColumns.includes(name) && value === person))
  /** @type {[string, string][]} */
  let values = excerpt ? [["Says", excerpt]] : []
  try {
    const read = JSON.parse(excerpt ?? "")
    if (read && typeof read === "object" && !Array.isArray(read)) values = Object.entries(read).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
  } catch {
    // It is text, or too long to be read as a whole; it is shown as it is.
  }
  return [...said, ...values].map(([name, value]) => /** @type {[string, Child]} */ ([titled(name), value === maskedText ? maskedTag("string") : inZone(value)]))
}

/** @param {string} name */
const titled = (name) => name.slice(0, 1).toUpperCase() + name.slice(1)

/** @param {AlertAnswer} given */
const answer = (given) => h("p", { class: "words" }, h("strong", {}, given.author), ": ", given.reason, " ",
  h("span", { class: "none" }, time(given.acknowledged), " · ", proofLink(given.event)))

/** @param {HTMLElement} item @param {Alert} alert @param {AbortSignal} signal */
function acknowledge(item, alert, signal) {
  const id = `reason-${alert.id}`
  const reason = h("input", { id, maxlength: 1000, required: true, autocomplete: "off" })
  const { message, attempt } = attempts(signal)
  const submit = attempt(async () => {
    fill(item, await api.send("POST", `alerts/${alert.id}/acknowledgement`, { reason: reason.value }, signal), signal)
    announce("The alert is acknowledged.")
    countAlerts()
  })
  return h("form", { class: "answer", submit, "aria-label": "Acknowledge this alert" },
    h("label", { for: id }, "What it was"), reason, h("button", { type: "submit" }, "Acknowledge"), message)
}
