// Asks for an export of exactly the events of a search.

import * as api from "../ui/api.js"
import { h, replace } from "../ui/elements.js"
import { attempts, filledIn, formOf, inputField } from "../ui/forms.js"
import { filterName, filterValue } from "../ui/words.js"

const formats = [
  { name: "csv", label: "CSV", help: "for spreadsheets; a text that looks like a formula gets an apostrophe" },
  { name: "jsonl", label: "JSON Lines", help: "each event as it was recorded" },
  { name: "fhir", label: "FHIR AuditEvent", help: "HL7 FHIR R4, for hospital systems" },
  { name: "ocsf", label: "OCSF", help: "Datastore Activity (6005), for security monitoring" },
]

/**
 * A button that opens the form, with what it opens.
 *
 * @param {Record<string, string>} asked
 * @param {AbortSignal} signal
 */
export function exportButton(asked, signal) {
  const dialog = h("dialog", { class: "export", "aria-labelledby": "export-title" })
  const open = () => {
    replace(dialog, form(asked, dialog, signal))
    dialog.showModal()
  }
  return [h("button", { type: "button", class: "quiet", id: "export", click: open }, "Export…"), dialog]
}

/** @param {Record<string, string>} asked @param {HTMLDialogElement} dialog @param {AbortSignal} signal */
function form(asked, dialog, signal) {
  const filter = Object.entries(asked)
  const { message, attempt } = attempts(signal)
  const boxes = formats.map(({ name }) => h("input", {
    type: "checkbox", id: `export-${name}`, name, checked: name === "csv" || name === "jsonl", "aria-describedby": `export-${name}-help`,
  }))
  const submit = attempt(async (event) => {
    const reason = filledIn(formOf(event), "reason")
    const chosen = boxes.filter(({ checked }) => checked).map(({ name }) => name)
    if (chosen.length === 0) throw new Error("Choose at least one format.")
    await api.send("POST", "exports", { formats: chosen, ...(reason && { reason }) }, signal, asked)
    dialog.close()
    location.hash = "#/exports"
  })
  return h("form", { submit },
    h("h2", { id: "export-title" }, "Export these events"),
    h("p", {}, filter.length === 0 ? "All events that you may read." : "Exactly the events that fit the filters: ",
      filter.map(([name, value], index) => [index > 0 && ", ", h("b", {}, filterName(name)), " ", filterValue(name, value)]), filter.length > 0 && "."),
    h("fieldset", {}, h("legend", {}, "Formats; times in files are in UTC"), formats.map(({ name, label, help }, index) => h("div", { class: "choice" },
      boxes[index], h("label", { for: `export-${name}` }, label), h("span", { class: "help", id: `export-${name}-help` }, help)))),
    inputField("export-reason", "Reason (kept in the record of what auditors do)", { name: "reason", maxlength: 1000 }),
    message,
    h("div", { class: "actions" }, h("button", { type: "submit" }, "Export"),
      h("button", { type: "button", class: "quiet", click: () => dialog.close() }, "Cancel")))
}
