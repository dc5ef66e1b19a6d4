// Forms: a field with its label, what was filled in, and work whose failure is said where it was asked for.

import { h } from "./elements.js"

/**
 * A control with its label, and what helps to fill it in.
 *
 * @param {string} id
 * @param {string} label
 * @param {Child[]} control
 */
export const field = (id, label, ...control) => h("div", { class: "field" }, h("label", { for: id }, label), control)

/**
 * A field for one line.
 *
 * @param {string} id
 * @param {string} label
 * @param {Properties} properties
 */
export const inputField = (id, label, properties) => field(id, label, h("input", { id, autocomplete: "off", ...properties }))

/**
 * The form of an event.
 *
 * @param {Event} event
 * @returns {HTMLFormElement}
 */
export function formOf(event) {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLFormElement) return event.currentTarget
  throw new TypeError("not the event of a form")
}

/**
 * What was filled in under a name, without spaces around it; null when the form has no such field.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function filledIn(form, name) {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement ? control.value.trim() : null
}

/**
 * A line for what went wrong, and `attempt`, which makes a listener of a work and says there why it failed.
 *
 * Whoever leaves the page ends the work; nothing is said of that.
 *
 * @param {AbortSignal} signal
 */
export function attempts(signal) {
  const message = h("p", { class: "message", role: "alert" })
  /** @param {(event: Event) => unknown} work */
  const attempt = (work) => async (/** @type {Event} */ event) => {
    event.preventDefault()
    message.textContent = ""
    try {
      await work(event)
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  return { message, attempt }
}

/**
 * Says of a button that its work is being done, or is done; returns false when it is being done already.
 *
 * A button that is disabled loses the keyboard, so that nobody could go on from it.
 *
 * @param {Element} button
 * @param {boolean} isBusy
 */
export function setBusy(button, isBusy) {
  const wasBusy = button.getAttribute("aria-disabled") === "true"
  if (isBusy) button.setAttribute("aria-disabled", "true")
  else button.removeAttribute("aria-disabled")
  return !(isBusy && wasBusy)
}
