// Exports: asking for the events of a search as files with proofs, watching them being made, and fetching them.

import * as api from "../ui/api.js"
import { announce, count, h, plural, remove, replace, searchLink, setBusy, time } from "../ui/elements.js"
import { filterName, filterValue, spoken } from "../ui/words.js"

const askEvery = 1000

const formats = [
  { name: "csv", label: "CSV", help: "for spreadsheets; a text that looks like a formula gets an apostrophe" },
  { name: "jsonl", label: "JSON Lines", help: "each event as it was recorded" },
  { name: "fhir", label: "FHIR AuditEvent", help: "HL7 FHIR R4, for hospital systems" },
  { name: "ocsf", label: "OCSF", help: "Datastore Activity (6005), for security monitoring" },
]

/** A button that opens the form for an export of exactly the events of a search. */
export function exportButton(asked, signal) {
  const dialog = h("dialog", { class: "export", "aria-labelledby": "export-title" })
  const open = () => {
    replace(dialog, form(asked, dialog, signal))
    dialog.showModal()
  }
  return [h("button", { type: "button", class: "quiet", id: "export", click: open }, "Export…"), dialog]
}

function form(asked, dialog, signal) {
  const names = Object.keys(asked)
  const problem = h("p", { class: "message", role: "alert" })
  const submit = async (event) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const chosen = formats.map(({ name }) => name).filter((name) => elements[name].checked)
    try {
      if (chosen.length === 0) throw new Error("Choose at least one format.")
      await api.beginExport(asked, chosen, elements.reason.value.trim(), signal)
      dialog.close()
      location.hash = "#/exports"
    } catch (error) {
      problem.textContent = error.message
    }
  }
  return h("form", { submit },
    h("h2", { id: "export-title" }, "Export these events"),
    h("p", {}, names.length === 0 ? "All events that you may read." : "Exactly the events that fit the filters: ",
      names.map((name, index) => [index > 0 && ", ", h("b", {}, filterName(name)), " ", filterValue(name, asked[name])]), names.length > 0 && "."),
    h("fieldset", {}, h("legend", {}, "Formats; times in files are in UTC"), formats.map(({ name, label, help }) => h("div", { class: "choice" },
      h("input", { type: "checkbox", id: `export-${name}`, name, checked: name === "csv" || name === "jsonl", "aria-describedby": `export-${name}-help` }),
      h("label", { for: `export-${name}` }, label), h("span", { class: "help", id: `export-${name}-help` }, help)))),
    h("div", { class: "field" }, h("label", { for: "export-reason" }, "Reason (kept in the record of what auditors do)"),
      h("input", { id: "export-reason", name: "reason", maxlength: 1000, autocomplete: "off" })),
    problem,
    h("div", { class: "actions" }, h("button", { type: "submit" }, "Export"),
      h("button", { type: "button", class: "quiet", click: () => dialog.close() }, "Cancel")))
}

/** The page of all exports of whoever has signed in. */
export async function showExports(content, signal) {
  document.title = "Exports · Daybook"
  const list = h("ul", { class: "exports" })
  const state = h("p", { class: "state" }, "Asking…")
  replace(content, h("section", { "aria-labelledby": "title" },
    h("h1", { id: "title" }, "Exports"),
    h("p", { class: "lead" }, "Each has a file for every format, the proofs of its events, and a manifest that this server signed. ",
      "Check a folder of these files with ", h("code", {}, "daybook verify FOLDER"), ", without this server."),
    state, list))
  const shown = new Map()
  let isFirst = true
  while (!signal.aborted) {
    let jobs
    try {
      jobs = await api.exports(signal)
    } catch (error) {
      // What is shown stays, and the next look may be answered.
      if (isFirst || error.status !== 0) throw error
      state.textContent = `${error.message} The list is as it was; it is asked for again by itself.`
      await rest(signal)
      continue
    }
    state.textContent = jobs.length === 0 ? "No export was made yet. Search for events, then choose “Export…” above the results." : `${plural(jobs.length, "export")}.`
    for (const [id, { item }] of shown) if (!jobs.some((job) => job.id === id)) { item.remove(); shown.delete(id) }
    for (const job of [...jobs].reverse()) {
      const known = shown.get(job.id)
      if (known && JSON.stringify(known.job) === JSON.stringify(job)) continue
      // What somebody points at or has the focus in stays where it is; only the numbers change.
      const made = entry(job, signal)
      if (known) swap(known.item, made)
      else list.prepend(made)
      if (!isFirst && known && known.job.state !== job.state) announce(`The export is ${words[job.state]}.`)
      shown.set(job.id, { job, item: made })
    }
    isFirst = false
    if (!jobs.some(isGoingOn)) return
    await rest(signal)
  }
}

/** Waits until the next look, or until the page is left. */
const rest = (signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, askEvery)
  signal.addEventListener("abort", () => { clearTimeout(timer); resolve() }, { once: true })
})

/** Puts an entry in the place of another one; the keyboard stays at its button. */
function swap(old, made) {
  const id = old.contains(document.activeElement) ? document.activeElement.id : ""
  old.replaceWith(made)
  if (id) document.getElementById(id)?.focus({ preventScroll: true })
}

const isGoingOn = (job) => job.state === "waiting" || job.state === "running"
const words = { waiting: "waiting for others", running: "being made", done: "ready", failed: "failed", interrupted: "interrupted" }

function entry(job, signal) {
  const names = Object.keys(job.filter)
  const id = `export-${job.id}`
  const message = h("p", { class: "message", role: "alert" })
  const discard = async ({ currentTarget: button }) => {
    if (!setBusy(button, true)) return
    message.textContent = ""
    try {
      await api.deleteExport(job.id, signal)
      const item = document.getElementById(id)
      if (item) remove(item)
      announce("The export is deleted.")
    } catch (error) {
      setBusy(button, false)
      if (!signal.aborted) message.textContent = error.message
    }
  }
  return h("li", { id, class: `job ${job.state}`, "data-state": job.state },
    h("div", { class: "heading" },
      h("h2", {}, names.length === 0 ? "All events" : h("a", { href: searchLink(job.filter) }, spoken(job.filter))),
      h("button", { type: "button", class: "quiet", id: `${id}-delete`, click: discard, "aria-label": `${isGoingOn(job) ? "Cancel" : "Delete"} the export of ${time(job.created).textContent}` }, isGoingOn(job) ? "Cancel" : "Delete")),
    h("p", { class: "told" }, h("span", { class: `tag ${job.state === "failed" || job.state === "interrupted" ? "warning" : ""}` }, words[job.state]), " asked for ", time(job.created),
      job.reason && [" · ", job.reason], job.state === "done" && [" · kept until ", time(job.expires)]),
    progress(job), message,
    job.problem && h("p", { class: "message" }, job.problem),
    job.files.length > 0 && h("ul", { class: "files" }, job.files.map((file) => h("li", {},
      h("a", { href: `/api/v1/exports/${job.id}/files/${file.name}`, download: file.name }, file.name), " ",
      h("span", { class: "none" }, size(file.bytes))))))
}

function progress({ state, progress }) {
  const text = `${plural(progress.events, "event")}${state === "done" ? "" : `, ${count(progress.examined)} of ${count(progress.total)} looked at`} · ${size(progress.bytes)}`
  if (state !== "running" && state !== "waiting") return h("p", { class: "told" }, text)
  return h("div", { class: "making" },
    h("progress", { max: Math.max(1, progress.total), value: progress.examined, "aria-label": "How much is looked at" }), " ", text)
}

/** Writes a size for people. */
function size(bytes) {
  const units = ["B", "kB", "MB", "GB"]
  let [number, unit] = [bytes, 0]
  while (number >= 1000 && unit < units.length - 1) [number, unit] = [number / 1000, unit + 1]
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`
}
