// Exports: those that somebody asked for, how far each is, and its files.

import * as api from "../ui/api.js"
import { announce, h, remove, replace, setTitle, swap } from "../ui/elements.js"
import { attempts, setBusy } from "../ui/forms.js"
import { searchLink } from "../ui/links.js"
import { count, plural } from "../ui/texts.js"
import { time } from "../ui/times.js"
import { spoken } from "../ui/words.js"

const askEvery = 1000

/**
 * The page of all exports of whoever has signed in.
 *
 * @param {HTMLElement} content
 * @param {AbortSignal} signal
 */
export async function showExports(content, signal) {
  setTitle("Exports")
  const list = h("ul", { class: "exports" })
  const state = h("p", { class: "state" }, "Asking…")
  replace(content, h("section", { "aria-labelledby": "title" },
    h("h1", { id: "title" }, "Exports"),
    h("p", { class: "lead" }, "Each has a file for every format, the proofs of its events, and a manifest that this server signed. ",
      "Check a folder of these files with ", h("code", {}, "daybook verify FOLDER"), ", without this server."),
    state, list))
  /** @type {Map<string, { job: ExportJob, item: HTMLElement }>} */
  const shown = new Map()
  let isFirst = true
  while (!signal.aborted) {
    let jobs
    try {
      jobs = await api.get("exports", {}, signal)
    } catch (error) {
      // What is shown stays, and the next look may be answered.
      if (isFirst || error.status !== 0) throw error
      state.textContent = `${error.message} The list is as it was; it is asked for again by itself.`
      await rest(signal)
      continue
    }
    state.textContent = jobs.length === 0 ? "No export was made yet. Search for events, then choose “Export…” above the results." : `${plural(jobs.length, "export")}.`
    update(list, shown, jobs, signal)
    isFirst = false
    if (!jobs.some(isGoingOn)) return
    await rest(signal)
  }
}

/**
 * Shows what has changed since the last look.
 *
 * @param {HTMLElement} list
 * @param {Map<string, { job: ExportJob, item: HTMLElement }>} shown
 * @param {ExportJob[]} jobs
 * @param {AbortSignal} signal
 */
function update(list, shown, jobs, signal) {
  for (const [id, { item }] of shown) {
    if (jobs.some((job) => job.id === id)) continue
    item.remove()
    shown.delete(id)
  }
  for (const job of [...jobs].reverse()) {
    const known = shown.get(job.id)
    if (known && JSON.stringify(known.job) === JSON.stringify(job)) continue
    // What somebody points at or has the focus in stays where it is; only the numbers change.
    const made = entry(job, signal)
    if (known) swap(known.item, made)
    else list.prepend(made)
    if (known && known.job.state !== job.state) announce(`The export is ${words[job.state]}.`)
    shown.set(job.id, { job, item: made })
  }
}

/**
 * Waits until the next look, or until the page is left.
 *
 * @param {AbortSignal} signal
 */
const rest = (signal) => /** @type {Promise<void>} */ (new Promise((resolve) => {
  const timer = setTimeout(resolve, askEvery)
  signal.addEventListener("abort", () => { clearTimeout(timer); resolve() }, { once: true })
}))

/** @param {ExportJob} job */
const isGoingOn = (job) => job.state === "waiting" || job.state === "running"

/** @type {Record<ExportJob["state"], string>} */
const words = { waiting: "waiting for others", running: "being made", done: "ready", failed: "failed", interrupted: "interrupted" }

/** @param {ExportJob} job @param {AbortSignal} signal */
function entry(job, signal) {
  const id = `export-${job.id}`
  const { message, attempt } = attempts(signal)
  const button = h("button", {
    type: "button", class: "quiet", id: `${id}-delete`, "aria-label": `${isGoingOn(job) ? "Cancel" : "Delete"} the export of ${time(job.created).textContent}`,
    click: attempt(async () => {
      if (!setBusy(button, true)) return
      try {
        await api.send("DELETE", `exports/${job.id}`, null, signal)
        const item = document.getElementById(id)
        if (item) remove(item)
        announce("The export is deleted.")
      } catch (error) {
        setBusy(button, false)
        throw error
      }
    }),
  }, isGoingOn(job) ? "Cancel" : "Delete")
  return h("li", { id, class: `job ${job.state}`, "data-state": job.state },
    h("div", { class: "heading" },
      h("h2", {}, Object.keys(job.filter).length === 0 ? "All events" : h("a", { href: searchLink(job.filter) }, spoken(job.filter))), button),
    h("p", { class: "told" }, h("span", { class: `tag ${job.state === "failed" || job.state === "interrupted" ? "warning" : ""}` }, words[job.state]), " asked for ", time(job.created),
      job.reason && [" · ", job.reason], job.state === "done" && [" · kept until ", time(job.expires)]),
    progress(job), message,
    job.problem && h("p", { class: "message" }, job.problem),
    job.files.length > 0 && h("ul", { class: "files" }, job.files.map((file) => h("li", {},
      h("a", { href: `/api/v1/exports/${job.id}/files/${file.name}`, download: file.name }, file.name), " ",
      h("span", { class: "none" }, size(file.bytes))))))
}

/** @param {ExportJob} job */
function progress({ state, progress: { events, examined, total, bytes } }) {
  const text = `${plural(events, "event")}${state === "done" ? "" : `, ${count(examined)} of ${count(total)} looked at`} · ${size(bytes)}`
  if (state !== "running" && state !== "waiting") return h("p", { class: "told" }, text)
  return h("div", { class: "making" },
    h("progress", { max: Math.max(1, total), value: examined, "aria-label": "How much is looked at" }), " ", text)
}

/**
 * Writes a size for people.
 *
 * @param {number} bytes
 */
function size(bytes) {
  const units = ["B", "kB", "MB", "GB"]
  let [number, unit] = [bytes, 0]
  while (number >= 1000 && unit < units.length - 1) [number, unit] = [number / 1000, unit + 1]
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`
}
