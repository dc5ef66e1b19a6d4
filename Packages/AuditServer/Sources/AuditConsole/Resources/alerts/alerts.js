// Alerts: what reviewers are to look at, and how many of them are open.

import * as api from "../ui/api.js"
import { objectLink } from "../ui/links.js"
import { foldedNotes } from "../ui/notes.js"
import { personColumns } from "../search/search.js"
import { announce, count, eventLink, h, plural, replace, searchLink, time } from "../ui/elements.js"
import { maskedTag, maskedText } from "../ui/unmask.js"
import { inZone } from "../ui/words.js"

const kinds = {
  afterHours: "Work after hours", massRead: "Very much was read", breakGlass: "Emergency access", namedRecord: "A named record",
  gap: "A partition is missing", loss: "A device lost events", conflict: "Two events have one id", verifyFailure: "The proof fails",
  overdueReview: "A review is overdue", retention: "More has expired than goes in a day", clock: "The server's clock is wrong",
  quota: "A quota is used up", manyAlerts: "Very many alerts",
}

/** Shows in the bar how many alerts are open. */
export async function countAlerts(place) {
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

export async function showAlerts(content, query, signal) {
  document.title = "Alerts · Daybook"
  const state = query.get("state") ?? "open"
  const list = h("ul", { class: "cards" })
  const more = h("nav", { class: "pager", "aria-label": "Pages of alerts" })
  const message = h("p", { class: "message", role: "alert" })
  const next = (after) => async () => {
    message.textContent = ""
    try {
      await read(after)
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  const read = async (after) => {
    const page = await api.get("alerts", { state, limit: 50, ...(after && { after }) }, signal)
    list.append(...page.alerts.map((alert) => card(alert, mayReview, signal)))
    replace(more, page.after && h("button", { type: "button", class: "quiet", id: "more-alerts", click: next(page.after) }, "More"))
    return page
  }
  const mayReview = api.isReviewer()
  const page = await read(null)
  const tab = (value, label) => h("a", { href: `#/alerts?state=${value}`, "aria-current": state === value && "true" }, label)
  replace(content, h("div", { class: "kept" },
    h("h1", {}, "Alerts"),
    h("p", { class: "lead" }, "The server raises them by the rules of its configuration, and when something is missing or changed. Each stays until a reviewer says what it was."),
    h("nav", { class: "tabs", "aria-label": "Which alerts" }, tab("open", `Open (${count(page.open)})`), tab("acknowledged", "Acknowledged"), tab("all", "All")),
    page.alerts.length === 0 && h("p", { class: "none" }, state === "open" ? "No alert is open: nothing waits for you here." : state === "all" ? "The server has raised no alert." : "Nobody has acknowledged an alert yet."),
    !page.isCurrent && h("p", { class: "state" }, "The newest events are still being looked at."),
    list, message, more))
}

function card(alert, mayReview, signal) {
  const item = h("li", { class: `card alert ${alert.answer ? "answered" : "open"}` })
  fill(item, alert, mayReview, signal)
  return item
}

function fill(item, alert, mayReview, signal) {
  const target = alert.partition && (alert.sequence ? eventLink(alert.partition, alert.sequence) : searchLink({ partition: alert.partition, order: "oldest" }))
  const { shown } = alert
  const rows = [
    ["Person", alert.person && h("a", { href: searchLink({ person: alert.person, app: alert.app, order: "oldest" }) }, alert.person)],
    ["Object", alert.class && (alert.key ? h("a", { href: searchLink({ class: alert.class, key: alert.key, order: "oldest" }) }, `${alert.class} ${alert.key}`) : alert.class)],
    ["Record", shown && shown.objects.length > 0 && records(shown)],
    ...(shown ? saidBy(shown, alert.person) : []),
    ["How many", alert.count && count(alert.count)],
    ["When", alert.from === alert.through ? time(alert.from) : [time(alert.from), " to ", time(alert.through)]],
    ["App", alert.app],
    ["What", alert.detail && inZone(alert.detail)],
  ]
  replace(item,
    h("header", {}, h("h2", {}, kinds[alert.kind] ?? alert.kind), h("span", { class: "tag" }, alert.rule)),
    h("dl", { class: "range" }, rows.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("p", { class: "none" }, "Raised ", time(alert.raised), " · ", h("a", { href: eventLink(alert.event.partition, alert.event.sequence) }, "proof"),
      target && [" · ", h("a", { href: target }, alert.sequence ? "Open the event" : "Open the partition")],
      alert.review && [" · ", h("a", { href: "#/reviews" }, "Open the reviews")]),
    alert.answer ? answer(alert.answer) : mayReview && acknowledge(item, alert, signal),
    foldedNotes({ alert: alert.id }, signal))
}

/** The records that an emergency access was to. */
const records = ({ objects, objectCount }) => [
  objects.map(({ class: type, key }, index) => [index > 0 && ", ", h("a", { href: objectLink(type, key) }, `${type ?? "Object"} ${key}`)]),
  objectCount > objects.length && ` and ${count(objectCount - objects.length)} more`,
]

/** What an event says of itself: its metadata, such as a reason, and the values of a payload that names no record. */
function saidBy({ metadata, excerpt }, person) {
  const said = Object.entries(metadata).filter(([name, value]) => !(personColumns.includes(name) && value === person))
  let values = excerpt ? [["Says", excerpt]] : []
  try {
    const read = JSON.parse(excerpt)
    if (read && typeof read === "object" && !Array.isArray(read)) values = Object.entries(read).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
  } catch {
    // It is text, or too long to be read as a whole; it is shown as it is.
  }
  return [...said, ...values].map(([name, value]) => [titled(name), value === maskedText ? maskedTag("string") : inZone(value)])
}

const titled = (name) => name.slice(0, 1).toUpperCase() + name.slice(1)

const answer = (given) => h("p", { class: "words" }, h("strong", {}, given.author), ": ", given.reason, " ",
  h("span", { class: "none" }, time(given.acknowledged), " · ", h("a", { href: eventLink(given.event.partition, given.event.sequence) }, "proof")))

function acknowledge(item, alert, signal) {
  const id = `reason-${alert.id}`
  const reason = h("input", { id, maxlength: 1000, required: true, autocomplete: "off" })
  const message = h("p", { class: "message", role: "alert" })
  const submit = async (event) => {
    event.preventDefault()
    message.textContent = ""
    try {
      const answered = await api.send("POST", `alerts/${alert.id}/acknowledgement`, { reason: reason.value }, signal)
      item.className = "card alert answered"
      fill(item, answered, false, signal)
      announce("The alert is acknowledged.")
      countAlerts(document.getElementById("alert-count"))
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  return h("form", { class: "answer", submit, "aria-label": "Acknowledge this alert" },
    h("label", { for: id }, "What it was"), reason, h("button", { type: "submit" }, "Acknowledge"), message)
}
