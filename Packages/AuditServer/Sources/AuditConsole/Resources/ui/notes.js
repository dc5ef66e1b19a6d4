// Notes about one thing: what auditors wrote, in order, and a form for the next one. Nothing is ever changed or removed.

import * as api from "./api.js"
import { announce, h, replace } from "./elements.js"
import { attempts } from "./forms.js"
import { none } from "./parts.js"
import { plural } from "./texts.js"
import { time } from "./times.js"
import { proofLink } from "./lines.js"

/**
 * A section with the notes about a subject: `{partition, sequence}`, `{app, class, key}`, `{review}` or `{alert}`.
 *
 * @param {Query} subject
 * @param {AbortSignal} signal
 */
export function notes(subject, signal) {
  const list = h("ol", { class: "notes" })
  const state = none("Reading the notes…")
  const { message, attempt } = attempts(signal)
  const id = `note-${Object.values(subject).join("-")}`
  const text = h("textarea", { id, rows: 3, maxlength: 4000, required: true })
  const submit = attempt(async () => {
    await api.send("POST", "notes", { subject, text: text.value }, signal)
    text.value = ""
    await read()
    announce("The note is kept.")
  })
  const read = async () => {
    const found = await api.get("notes", subject, signal)
    state.textContent = found.length === 0 ? "Nobody wrote anything about this yet." : plural(found.length, "note")
    replace(list, found.map(note))
  }
  read().catch((error) => {
    if (!signal.aborted) state.textContent = error.message
  })
  return h("section", { class: "noted", "aria-label": "Notes" },
    h("h2", {}, "Notes"), state, list,
    h("form", { submit }, h("label", { for: id }, "Write a note"), text, message,
      h("div", { class: "actions" }, h("button", { type: "submit", class: "quiet" }, "Keep this note"),
        h("span", { class: "help" }, "Notes stay as they are. To correct one, write another."))))
}

/**
 * The same, folded; they are read when somebody opens them.
 *
 * @param {Query} subject
 * @param {AbortSignal} signal
 */
export function foldedNotes(subject, signal) {
  const place = h("details", {}, h("summary", {}, "Notes"))
  place.addEventListener("toggle", () => {
    if (place.open && place.children.length === 1) place.append(notes(subject, signal))
  })
  return place
}

/** @param {Note} note */
const note = ({ text, author, written, event }) => h("li", {},
  h("p", { class: "words" }, text ?? h("span", { class: "badge broken" }, "This note is not what was written")),
  none(author ?? "somebody", " · ", time(written), " · ", proofLink(event)))
