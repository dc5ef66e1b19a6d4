// Shows masked values of an event or of an object to a reviewer, who says what for. What was shown stays in the page alone.

import * as api from "./api.js"
import { h, localText, replace } from "./elements.js"

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
  const send = (order) => api.unmask(partition, sequence, order, signal)
  return h("button", { type: "button", class: "unmask", click: () => ask({ send, show }, signal) }, "Show masked values")
}

/** A button that asks for a reason and a time, and then calls `show` with the events that show an object in it. */
export function unmaskObjectButton(filter, first, last, show, signal) {
  const time = (id, value) => h("input", { id, type: "datetime-local", step: 1, required: true, value })
  const click = () => {
    // A whole second later, because the end is not part of a time.
    const [since, until] = [time("unmask-since", localText(first)), time("unmask-until", localText(Date.parse(last) + 1000))]
    const fields = [
      h("label", { for: "unmask-since" }, "From"), since,
      h("label", { for: "unmask-until" }, "Until"), until,
    ]
    const instant = (field) => new Date(field.value).toISOString()
    const send = (order) => api.unmaskObject({ ...filter, since: instant(since), until: instant(until) }, order, signal)
    return ask({ send, show, fields, scope: " Only values of this object are shown, not those of others beside it." }, signal)
  }
  return h("button", { type: "button", class: "unmask", click }, "Show masked values")
}

async function ask({ send, show, fields, scope }, signal) {
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
      const answer = await send({ purpose: purpose.value, reason: reason.value })
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
      h("p", { id: "unmask-help" }, "Who looks, when, for what purpose and why is recorded before the values are shown. Other auditors read it.", scope),
      fields,
      h("label", { for: "unmask-purpose" }, "Purpose"), purpose,
      h("label", { for: "unmask-reason" }, "Reason"), reason,
      message,
      h("div", { class: "actions" }, confirm, h("button", { type: "button", class: "quiet", click: () => dialog.close() }, "Cancel"))))
  dialog.addEventListener("close", () => {
    // While somebody signs in again it is out of sight, and comes back with what was written in it.
    if ("asleep" in dialog.dataset && !signal.aborted) return
    dialog.remove()
    // What was shown may have taken the focus already.
    if (before?.isConnected && document.activeElement === document.body) before.focus()
  })
  signal.addEventListener("abort", () => {
    dialog.close()
    dialog.remove()
  })
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
