// Keeping: how long events stay, what keeps them, and what was erased.

import * as api from "../ui/api.js"
import { eraseForm, expireForm, liftForm, placeForm } from "./keeping-forms.js"
import { announce, count, h, plural, replace, short, time } from "../ui/elements.js"

export async function showKeeping(content, signal) {
  document.title = "Keeping · Daybook"
  replace(content, h("p", { class: "state" }, "Reading holds, rules and erasures…"))
  await show(content, signal)
}

/** Shows the page; after something was done, with a sentence that says so, and the keyboard at the part that changed. */
async function show(content, signal, done = null) {
  const [holds, retention, erasures] = await Promise.all([
    api.get("holds", {}, signal), api.get("retention", {}, signal), allErasures(signal),
  ])
  if (signal.aborted) return
  const holding = holds.filter((hold) => !hold.lifted)
  const gone = erasures.reduce((sum, erasure) => sum + (erasure.result?.events ?? 0), 0)
  const mayChange = api.session?.role === "administrator"
  const again = (part, sentence) => show(content, signal, { part, sentence })
  replace(content, h("div", { class: "completeness keeping" },
    h("h1", {}, "Keeping"),
    h("p", { class: "lead" }, "An erased event is unreadable for ever, because the key of its content was destroyed. Its hash stays in the tree, so that every other event is proven as before. What a hold keeps is not erased."),
    h("ul", { class: "figures" },
      figure(count(holding.length), "holds in force", holding.length > 0 ? "open" : null),
      figure(count(erasures.length), "erasures", null),
      figure(count(gone), "events erased", null)),
    !mayChange && h("p", { class: "lead" }, "An administrator places and lifts holds and erases. You may read what was done."),
    section("holds", done, "Legal holds", "There is no hold: what expires or is erased goes.", holds.toReversed(), ["Hold", "Keeps", "Placed", "Why", "State"], (hold) => holdRow(hold, mayChange && !hold.lifted && liftForm(hold, again, signal)),
      mayChange && placeForm(again, signal)),
    section("retention", done, "Retention", "Events of all apps are kept for ever. The configuration of the server may have a rule for each app.", retention, ["App", "Kept for"], ruleRow,
      mayChange && retention.length > 0 && expireForm(again, signal)),
    section("erasures", done, "Erasures", "Nothing was erased.", erasures.toReversed().slice(0, 500), ["Erasure", "Begun", "What", "Why", "By", "Result"], erasureRow,
      mayChange && eraseForm(again, signal))))
  if (done === null) return
  document.getElementById(done.part).focus()
  announce(done.sentence)
}

async function allErasures(signal) {
  const all = []
  for (let after = 0; ; after = all.at(-1).number) {
    const page = await api.get("erasures", { after, limit: 1000 }, signal)
    all.push(...page)
    if (page.length < 1000) return all
  }
}

const figure = (number, label, state) => h("li", { class: state ?? "" }, h("strong", {}, number), h("span", {}, label))
const cell = (name, content) => h("td", { "data-label": name }, content)

function section(id, done, title, nothing, items, names, row, work) {
  return h("section", {}, h("h2", { id, tabindex: -1 }, title),
    done?.part === id && h("p", { class: "notice good" }, done.sentence),
    items.length === 0 ? h("p", { class: "none" }, nothing) : h("table", { class: "partitions" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, items.map(row))),
    work)
}

const words = {
  app: "app", person: "person", class: "class", key: "key", prefix: "partitions that begin with", partition: "partition",
  activity: "activity", event: "type", since: "from", until: "before", receivedSince: "received from", receivedUntil: "received before",
}

const times = ["since", "until", "receivedSince", "receivedUntil"]

/** Says in words what a filter takes. */
const filterText = (filter) => Object.entries(filter)
  .map(([name, value], index) => [index > 0 && ", ", `${words[name] ?? name} `, times.includes(name) ? time(value) : h("b", {}, value)])

function holdRow(hold, lift) {
  const state = hold.lifted
    ? [h("span", { class: "tag custom" }, "lifted"), " ", time(hold.lifted.at), ` by ${hold.lifted.by}: ${hold.lifted.reason}`]
    : [h("span", { class: "tag warning" }, "in force"), lift]
  return h("tr", {}, h("td", { class: "name" }, `${hold.number} ${hold.name}`), cell("Keeps", filterText(hold.filter)),
    cell("Placed", [time(hold.placed.at), ` by ${hold.placed.by}`]), cell("Why", hold.placed.reason), cell("State", state))
}

function ruleRow(rule) {
  const types = Object.entries(rule.events).map(([type, days]) => `${type}: ${plural(days, "day")}`)
  return h("tr", {}, h("td", { class: "name" }, rule.app), cell("Kept for", [rule.days ? plural(rule.days, "day") : "ever", ...types].join(", ")))
}

function erasureRow(erasure) {
  const { order, result } = erasure
  return h("tr", {}, h("td", { class: "name" }, `${erasure.number} `, h("span", { class: "tag" }, order.kind === "retention" ? "expired" : "asked for")),
    cell("Begun", time(order.begun.at)), cell("What", filterText(order.filter)), cell("Why", order.begun.reason), cell("By", order.begun.by),
    cell("Result", result ? h("span", { title: `SHA-256 of what was erased: ${result.digest}` }, `${plural(result.events, "event")} erased, record `, h("code", {}, short(result.digest, 12))) : h("span", { class: "tag warning" }, "under way")))
}
