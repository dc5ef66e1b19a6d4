// Shows masked values of one event to a reviewer, who says what for. What was shown stays in the page alone.

import * as api from "./api.js"
import { h, replace } from "./ui.js"

/** What the server puts in the place of a masked text. */
export const maskedText = "$masked"

/** The kind of a masked value, or null when a value is not masked. */
export function maskedKind(value) {
  if (value === maskedText) return "string"
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null
  const names = Object.keys(value)
  return names.length === 1 && names[0] === "$masked" && typeof value.$masked === "string" ? value.$masked : null
}

const words = { string: "text", number: "number", boolean: "yes or no", list: "list", object: "values" }

/** Shows that there is a value, and not which. */
export const maskedTag = (kind) => h("span", { class: "veiled" }, h("span", { "aria-hidden": "true" }, "▮▮▮▮ "), `masked ${words[kind] ?? "value"}`)

/** A button that asks for a reason and then calls `show` with the whole event. */
export function unmaskButton(partition, sequence, show, signal) {
  return h("button", { type: "button", class: "unmask", click: () => ask(partition, sequence, show, signal) }, "Show masked values")
}

async function ask(partition, sequence, show, signal) {
  const before = document.activeElement
  const purpose = h("select", { id: "unmask-purpose", required: true }, h("option", { value: "" }, "Choose…"))
  const reason = h("textarea", {
    id: "unmask-reason", rows: 3, maxlength: 1000, required: true, autocomplete: "off", "aria-describedby": "unmask-help",
  })
  const message = h("p", { class: "message", role: "alert" })
  const confirm = h("button", { type: "submit" }, "Show the values")
  const submit = async (event) => {
    event.preventDefault()
    confirm.disabled = true
    message.textContent = ""
    try {
      const answer = await api.unmask(partition, sequence, { purpose: purpose.value, reason: reason.value }, signal)
      dialog.close()
      await show(answer)
    } catch (error) {
      if (signal.aborted) return dialog.close()
      message.textContent = error.message
      reason.focus()
    } finally {
      confirm.disabled = false
    }
  }
  // The browser keeps the focus inside, closes it with Escape, and makes everything else inert.
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "unmask-title" },
    h("form", { submit },
      h("h2", { id: "unmask-title" }, "Show masked values"),
      h("p", { id: "unmask-help" }, "Who looks, when, for what purpose and why is recorded before the values are shown. Other auditors read it."),
      h("label", { for: "unmask-purpose" }, "Purpose"), purpose,
      h("label", { for: "unmask-reason" }, "Reason"), reason,
      message,
      h("div", { class: "actions" }, confirm, h("button", { type: "button", class: "quiet", click: () => dialog.close() }, "Cancel"))))
  dialog.addEventListener("close", () => {
    dialog.remove()
    if (before?.isConnected) before.focus()
  })
  signal.addEventListener("abort", () => dialog.close())
  document.body.append(dialog)
  dialog.showModal()
  purpose.focus()
  try {
    const purposes = await api.get("unmasking/purposes", {}, signal)
    purpose.append(...purposes.map((name) => h("option", { value: name }, name)))
  } catch (error) {
    if (!signal.aborted) replace(message, error.message)
  }
}
