// What an administrator does about keeping: placing and lifting holds, erasing, and letting expire what is old.

import * as api from "../ui/api.js"
import { h, replace } from "../ui/elements.js"
import { attempts, field, filledIn, formOf, inputField, setBusy } from "../ui/forms.js"
import { notice } from "../ui/parts.js"
import { count, plural, sum } from "../ui/texts.js"
import { fromLocal, time } from "../ui/times.js"

const fields = [
  { name: "app", label: "App" },
  { name: "person", label: "Person", help: "An account, or a value such as a user name that the app recorded" },
  { name: "class", label: "Object’s class" },
  { name: "key", label: "Object’s key" },
  { name: "activity", label: "Activity" },
  { name: "event", label: "Type", help: "read, write, or a type of the app’s own" },
  { name: "prefix", label: "Partitions that begin with" },
  { name: "since", label: "From, by the device’s clock", isTime: true },
  { name: "until", label: "Until", isTime: true },
]

/**
 * The fields that say which events; every one that is filled in must fit.
 *
 * @param {string} form
 */
const filterFields = (form) => h("fieldset", {}, h("legend", {}, "Which events; everything that you fill in must fit"), h("div", { class: "grid" }, fields.map(({ name, label, help, isTime }) => {
  const id = `${form}-${name}`
  return field(id, label,
    h("input", { id, name, type: isTime ? "datetime-local" : "text", step: isTime ? 1 : false, autocomplete: "off", spellcheck: "false", "aria-describedby": help && `${id}-help` }),
    help && h("span", { class: "help", id: `${id}-help` }, help))
})))

/**
 * Reads what was filled in.
 *
 * @param {HTMLFormElement} form
 */
function filterOf(form) {
  /** @type {Record<string, string>} */
  const filter = {}
  for (const { name, isTime } of fields) {
    const value = filledIn(form, name)
    if (value) filter[name] = isTime ? fromLocal(value) : value
  }
  return filter
}

/** @param {string} id */
const reasonInput = (id) => inputField(id, "Reason, which stays in the records", { name: "reason", required: true, maxlength: 1024 })

/**
 * A form whose work is done once at a time; what is wrong is told below it, and what was filled in stays.
 *
 * @param {string} label
 * @param {Properties} properties
 * @param {Child} children
 * @param {string} action
 * @param {(form: HTMLFormElement) => Promise<unknown>} work
 * @param {AbortSignal} signal
 */
function workForm(label, properties, children, action, work, signal) {
  const { message, attempt } = attempts(signal)
  const button = h("button", { type: "submit", ...properties }, action)
  const submit = attempt(async (event) => {
    if (!setBusy(button, true)) return
    button.textContent = "Working…"
    try {
      await work(formOf(event))
    } finally {
      setBusy(button, false)
      button.textContent = action
    }
  })
  return h("form", { submit, "aria-label": label }, children, message, h("div", { class: "actions" }, button))
}

/**
 * The form that places a hold; `again` shows the page anew.
 *
 * @param {ShowAgain} again
 * @param {AbortSignal} signal
 */
export function placeForm(again, signal) {
  return h("details", { class: "work" }, h("summary", {}, "Place a hold"),
    workForm("Place a hold", {}, [
      h("p", { class: "help" }, "While it holds, nothing that fits it is erased or expires."),
      inputField("hold-name", "Name, such as the number of a case", { name: "name", required: true, maxlength: 128 }), filterFields("hold"), reasonInput("hold-reason"),
    ], "Place the hold", async (form) => {
      const hold = await api.send("POST", "holds", { name: filledIn(form, "name"), reason: filledIn(form, "reason"), filter: filterOf(form) }, signal)
      await again("holds", `The hold “${hold.name}” is in force.`)
    }, signal))
}

/**
 * The form that lifts a hold.
 *
 * @param {Hold} hold
 * @param {ShowAgain} again
 * @param {AbortSignal} signal
 */
export function liftForm(hold, again, signal) {
  return h("details", { class: "work" }, h("summary", {}, "Lift", h("span", { class: "unseen" }, ` the hold ${hold.name}`)),
    workForm(`Lift the hold ${hold.name}`, { class: "quiet" }, reasonInput(`lift-${hold.number}`), "Lift the hold", async (form) => {
      await api.send("POST", `holds/${hold.number}/lift`, { reason: filledIn(form, "reason") }, signal)
      await again("holds", `The hold “${hold.name}” is lifted.`)
    }, signal))
}

/**
 * The form that erases: it says first what would go, and erases what somebody then confirms.
 *
 * @param {ShowAgain} again
 * @param {AbortSignal} signal
 */
export function eraseForm(again, signal) {
  const found = h("div", { class: "found", "aria-live": "polite" })
  const form = workForm("Look for events to erase", { class: "quiet" }, filterFields("erase"), "Count what would be erased", async (asked) => {
    replace(found, h("p", { class: "state" }, h("progress", { "aria-label": "Counting" }), " Every event that may fit is read. With many events this takes minutes."))
    const filter = filterOf(asked)
    try {
      /** @type {ErasurePreview} */
      const preview = await api.send("POST", "erasures/preview", { filter }, signal)
      replace(found, shown(preview), preview.events > 0 && Object.keys(preview.held).length === 0 && confirmForm(filter, again, signal))
    } catch (error) {
      replace(found)
      throw error
    }
  }, signal)
  // What was counted is not what a changed filter takes.
  form.addEventListener("input", () => replace(found))
  return h("details", { class: "work" }, h("summary", {}, "Erase events"),
    h("p", { class: "help" }, "For ever: nobody can read them again, here or in backups without their keys. That they were there stays proven."), form, found)
}

/**
 * What would be erased, and what keeps it.
 *
 * @param {ErasurePreview} preview
 */
function shown({ events, withOtherObjects, apps, held, damaged, places }) {
  const holds = Object.entries(held)
  return [
    h("p", {}, h("strong", {}, `${plural(events, "event")} would be erased`), events > 0 && `: ${Object.entries(apps).map(([app, number]) => `${count(number)} of ${app}`).join(", ")}`, "."),
    withOtherObjects > 0 && notice(`${plural(withOtherObjects, "event")} of these show${withOtherObjects === 1 ? "s" : ""} other objects, too, and would go as a whole.`),
    holds.length > 0 && h("p", { class: "notice bad", role: "alert" }, "Nothing can be erased now: ", holds.map(([name, number]) => `the hold “${name}” keeps ${plural(number, "event")} of these`).join(", "), ". Lift it first, or look for less."),
    damaged > 0 && h("p", { class: "notice bad" }, `${plural(damaged, "event")} ${damaged === 1 ? "is" : "are"} not what was received, and would stay as evidence.`),
    places.length > 0 && h("details", {}, h("summary", {}, places.length < events ? `The first ${count(places.length)} of them` : "Which they are"),
      h("ul", { class: "list places" }, places.map(({ partition, sequence, received }) => h("li", {}, h("code", {}, `${partition}/${sequence}`), received && [" received ", time(received)])))),
  ]
}

/**
 * The form that erases what was counted: the number is typed, so that nobody erases by a slip.
 *
 * @param {Record<string, string>} filter
 * @param {ShowAgain} again
 * @param {AbortSignal} signal
 */
function confirmForm(filter, again, signal) {
  return workForm("Erase what was counted", { class: "grave" }, [
    inputField("erase-count", "Type the number of events that would be erased", { name: "number", required: true, inputmode: "numeric", pattern: "[0-9]+", title: "Digits alone" }),
    reasonInput("erase-reason"),
  ], "Erase for ever", async (form) => {
    const record = await api.send("POST", "erasures", { filter, reason: filledIn(form, "reason"), events: Number(filledIn(form, "number")) }, signal)
    await again("erasures", `Erasure ${record.number} took ${plural(record.result?.events ?? 0, "event")}. Its record stays.`)
  }, signal)
}

/**
 * Counts what has expired, and erases it on demand.
 *
 * @param {ShowAgain} again
 * @param {AbortSignal} signal
 */
export function expireForm(again, signal) {
  const found = h("div", { "aria-live": "polite" })
  return h("details", { class: "work" }, h("summary", {}, "Erase what has expired"),
    h("p", { class: "help" }, "The server does it every hour by itself."),
    workForm("Count what has expired", { class: "quiet" }, [], "Count what has expired", async () => {
      const [rules, clock] = await Promise.all([api.get("retention", { count: "yes" }, signal), api.get("retention/clock", {}, signal)])
      const allowed = sum(rules.map((rule) => Math.min(rule.expired ?? 0, rule.allowed ?? 0)))
      const expired = sum(rules.map((rule) => rule.expired ?? 0))
      const held = sum(rules.flatMap((rule) => Object.values(rule.held ?? {})))
      replace(found, h("p", {}, `${plural(expired, "event")} of all apps ${expired === 1 ? "has" : "have"} expired`, held > 0 && `, and holds keep ${count(held)} more`, "."),
        !clock.isBelieved && h("p", { role: "status" }, `Nothing expires: the server's clock is ${count(Math.round(clock.aheadSeconds / 3600))} hours ahead of where it should be. Have it set, or say that it is right with “daybook retention --believe-clock”.`),
        clock.isBelieved && expired > allowed && h("p", {}, `A day's part is ${plural(allowed, "event")} more. “daybook retention --run --confirm” lets more go.`),
        allowed > 0 && workForm("Erase what has expired", { class: "grave" }, [], "Erase what has expired", async () => {
          /** @type {ErasureRecord[]} */
          const records = await api.send("POST", "retention", {}, signal)
          await again("erasures", `${plural(sum(records.map(({ result }) => result?.events ?? 0)), "event")} were erased.`)
        }, signal))
    }, signal), found)
}
