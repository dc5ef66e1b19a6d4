// Keeping: how long events stay, what keeps them, and what was erased.

import * as api from "../ui/api.js"
import { announce, byId, h, replace, setTitle } from "../ui/elements.js"
import { cell, figure, none, tableHead, waiting } from "../ui/parts.js"
import { count, plural, short, sum } from "../ui/texts.js"
import { time } from "../ui/times.js"
import { eraseForm, expireForm, liftForm, placeForm } from "./keeping-forms.js"

const maximumShown = 500

/** @param {HTMLElement} content @param {AbortSignal} signal */
export async function showKeeping(content, signal) {
  setTitle("Keeping")
  waiting(content, "Reading holds, rules and erasures…")
  await show(content, signal)
}

/**
 * Shows the page; after something was done, with a sentence that says so, and the keyboard at the part that changed.
 *
 * @param {HTMLElement} content
 * @param {AbortSignal} signal
 * @param {{ part: string, sentence: string } | null} done
 */
async function show(content, signal, done = null) {
  const [holds, retention, erasures] = await Promise.all([
    api.get("holds", {}, signal), api.get("retention", {}, signal), allErasures(signal),
  ])
  if (signal.aborted) return
  const holding = holds.filter((hold) => !hold.lifted)
  const mayChange = api.isAdministrator()
  /** @type {ShowAgain} */
  const again = (part, sentence) => show(content, signal, { part, sentence })
  /** @param {string} id @param {string} title @param {Child} table @param {Child} work */
  const section = (id, title, table, work) => h("section", {}, h("h2", { id, tabindex: -1 }, title),
    done?.part === id && h("p", { class: "notice good" }, done.sentence), table, work)
  replace(content, h("div", { class: "completeness keeping" },
    h("h1", {}, "Keeping"),
    h("p", { class: "lead" }, "An erased event is unreadable for ever, because the key of its content was destroyed. Its hash stays in the tree, so that every other event is proven as before. What a hold keeps is not erased."),
    h("ul", { class: "figures" },
      figure(count(holding.length), "holds in force", holding.length > 0 ? "open" : null),
      figure(count(erasures.length), "erasures"),
      figure(count(sum(erasures.map(({ result }) => result?.events ?? 0))), "events erased")),
    !mayChange && h("p", { class: "lead" }, "An administrator places and lifts holds and erases. You may read what was done."),
    section("holds", "Legal holds", table(
      [...holds].reverse().map((hold) => holdRow(hold, mayChange && !hold.lifted && liftForm(hold, again, signal))),
      "There is no hold: what expires or is erased goes.", "Hold", "Keeps", "Placed", "Why", "State",
    ), mayChange && placeForm(again, signal)),
    section("retention", "Retention", table(
      retention.map(ruleRow),
      "Events of all apps are kept for ever. The configuration of the server may have a rule for each app.", "App", "Kept for",
    ), mayChange && retention.length > 0 && expireForm(again, signal)),
    section("erasures", "Erasures", table(
      [...erasures].reverse().slice(0, maximumShown).map(erasureRow),
      "Nothing was erased.", "Erasure", "Begun", "What", "Why", "By", "Result",
    ), mayChange && eraseForm(again, signal))))
  if (done === null) return
  byId(done.part).focus()
  announce(done.sentence)
}

/** @param {AbortSignal} signal */
async function allErasures(signal) {
  /** @type {ErasureRecord[]} */
  const all = []
  for (let after = 0; ; after = all[all.length - 1].number) {
    const page = await api.get("erasures", { after, limit: 1000 }, signal)
    all.push(...page)
    if (page.length < 1000) return all
  }
}

/** @param {HTMLElement[]} rows @param {string} nothing @param {string[]} names */
const table = (rows, nothing, ...names) => (rows.length === 0 ? none(nothing)
  : h("table", { class: "partitions" }, tableHead(...names), h("tbody", {}, rows)))

/** @type {Record<string, string>} */
const words = {
  app: "app", person: "person", class: "class", key: "key", prefix: "partitions that begin with", partition: "partition",
  activity: "activity", event: "type", since: "from", until: "before", receivedSince: "received from", receivedUntil: "received before",
}

const times = ["since", "until", "receivedSince", "receivedUntil"]

/**
 * Says in words what a filter takes.
 *
 * @param {Record<string, string>} filter
 */
const filterText = (filter) => Object.entries(filter)
  .map(([name, value], index) => [index > 0 && ", ", `${words[name] ?? name} `, times.includes(name) ? time(value) : h("b", {}, value)])

/** @param {Hold} hold @param {Child} lift */
function holdRow(hold, lift) {
  const state = hold.lifted
    ? [h("span", { class: "tag custom" }, "lifted"), " ", time(hold.lifted.at), ` by ${hold.lifted.by}: ${hold.lifted.reason}`]
    : [h("span", { class: "tag warning" }, "in force"), lift]
  return h("tr", {}, h("td", { class: "name" }, `${hold.number} ${hold.name}`), cell("Keeps", filterText(hold.filter)),
    cell("Placed", time(hold.placed.at), ` by ${hold.placed.by}`), cell("Why", hold.placed.reason), cell("State", state))
}

/** @param {RetentionRule} rule */
function ruleRow(rule) {
  const types = Object.entries(rule.events).map(([type, days]) => `${type}: ${plural(days, "day")}`)
  return h("tr", {}, h("td", { class: "name" }, rule.app), cell("Kept for", [rule.days ? plural(rule.days, "day") : "ever", ...types].join(", ")))
}

/** @param {ErasureRecord} erasure */
function erasureRow({ number, order, result }) {
  return h("tr", {}, h("td", { class: "name" }, `${number} `, h("span", { class: "tag" }, order.kind === "retention" ? "expired" : "asked for")),
    cell("Begun", time(order.begun.at)), cell("What", filterText(order.filter)), cell("Why", order.begun.reason), cell("By", order.begun.by),
    cell("Result", result ? h("span", { title: `SHA-256 of what was erased: ${result.digest}` }, `${plural(result.events, "event")} erased, record `, h("code", {}, short(result.digest, 12))) : h("span", { class: "tag warning" }, "under way")))
}
