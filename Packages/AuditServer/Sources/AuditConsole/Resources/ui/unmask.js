// Asks a reviewer what for before masked values of an event or of an object are shown. What was shown stays in the page alone.

import * as api from "./api.js"
import { h, replace } from "./elements.js"
import { attempts } from "./forms.js"
import { fromLocal, localText } from "./times.js"

/**
 * A button that asks for a reason and then calls `show` with the whole event.
 *
 * @param {string} partition
 * @param {number} sequence
 * @param {(answer: EventAnswer) => unknown} show
 * @param {AbortSignal} signal
 */
export function unmaskButton(partition, sequence, show, signal) {
  return button(() => ask((order) => api.unmask(partition, sequence, order, signal), show, [], null, signal))
}

/**
 * A button that asks for a reason and a time, and then calls `show` with the events that show an object in it.
 *
 * @param {{ class: string, key: string }} filter
 * @param {string} first
 * @param {string} last
 * @param {(answer: { events: RecordedLine[] }) => unknown} show
 * @param {AbortSignal} signal
 */
export function unmaskObjectButton(filter, first, last, show, signal) {
  /** @param {string} id @param {string} value */
  const time = (id, value) => h("input", { id, type: "datetime-local", step: 1, required: true, value })
  return button(() => {
    // A whole second later, because the end is not part of a time.
    const [since, until] = [time("unmask-since", localText(first)), time("unmask-until", localText(Date.parse(last) + 1000))]
    const fields = [
      h("label", { for: "unmask-since" }, "From"), since,
      h("label", { for: "unmask-until" }, "Until"), until,
    ]
    /** @param {UnmaskOrder} order */
    const send = (order) => api.unmaskObject({ ...filter, since: fromLocal(since.value), until: fromLocal(until.value) }, order, signal)
    return ask(send, show, fields, " Only values of this object are shown, not those of others beside it.", signal)
  })
}

/** @param {() => unknown} click */
const button = (click) => h("button", { type: "button", class: "unmask", click }, "Show masked values")

/**
 * @template Answer
 * @param {(order: UnmaskOrder) => Promise<Answer>} send
 * @param {(answer: Answer) => unknown} show
 * @param {Child} fields
 * @param {string | null} scope
 * @param {AbortSignal} signal
 */
async function ask(send, show, fields, scope, signal) {
  const before = document.activeElement
  const purpose = h("select", { id: "unmask-purpose", required: true }, h("option", { value: "" }, "Choose…"))
  const reason = h("textarea", {
    id: "unmask-reason", rows: 3, maxlength: 1000, required: true, autocomplete: "off", "aria-describedby": "unmask-help",
  })
  const { message, attempt } = attempts(signal)
  const confirm = h("button", { type: "submit" }, "Show the values")
  const submit = attempt(async () => {
    confirm.disabled = true
    try {
      const answer = await send({ purpose: purpose.value, reason: reason.value })
      dialog.close()
      await show(answer)
    } catch (error) {
      if (signal.aborted) return dialog.close()
      reason.focus()
      throw error
    } finally {
      confirm.disabled = false
    }
  })
  // The browser keeps the focus inside, closes it with Escape, and makes everything else inert.
  /** @type {HTMLDialogElement} */
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
    if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body) before.focus()
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
