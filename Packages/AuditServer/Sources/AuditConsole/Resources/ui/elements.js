// Builds elements. Texts become text nodes and nothing else, so that nothing stored is ever taken for markup.

/** Makes an element: `h("a", {href: "#/x"}, "text", child)`. Functions become listeners, true an empty attribute. */
export function h(name, properties, ...children) {
  const element = document.createElement(name)
  fill(element, properties)
  append(element, children)
  return element
}

/** Makes an element of SVG. */
export function svg(name, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  fill(element, properties)
  append(element, children)
  return element
}

function fill(element, properties) {
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue
    if (typeof value === "function") element.addEventListener(key, value)
    else element.setAttribute(key, value === true ? "" : String(value))
  }
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue
    element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/**
 * Puts children in the place of what an element has.
 *
 * The keyboard stays where it was: at the control of the same id, else at the element.
 */
export function replace(element, ...children) {
  const before = document.activeElement
  const hadFocus = before !== element && element.contains(before)
  element.replaceChildren()
  append(element, children)
  if (!hadFocus) return
  const same = before.id && document.getElementById(before.id)
  if (same) same.focus({ preventScroll: true })
  else keep(element)
}

/**
 * Says of a button that its work is being done, or is done; returns false when it is being done already.
 *
 * A button that is disabled loses the keyboard, so that nobody could go on from it.
 */
export function setBusy(button, isBusy) {
  const wasBusy = button.getAttribute("aria-disabled") === "true"
  if (isBusy) button.setAttribute("aria-disabled", "true")
  else button.removeAttribute("aria-disabled")
  return !(isBusy && wasBusy)
}

/** Takes an element away; the keyboard goes on from what it lay in. */
export function remove(element) {
  const place = element.parentElement
  const hadFocus = element.contains(document.activeElement)
  element.remove()
  if (hadFocus && place) keep(place)
}

/** Goes on from an element, which need be no control. */
function keep(element) {
  if (!element.hasAttribute("tabindex")) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** Says something to a screen reader. */
export function announce(text) {
  document.getElementById("announcer").textContent = text
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that all times are shown in and asked for; its distance from UTC changes with the seasons. */
export const zoneName = () => zone

const pad = (number, count = 2) => String(number).padStart(count, "0")

/** Splits a time in ISO 8601 into the local day and the local time with milliseconds. */
export function moment(text) {
  if (!text) return null
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return { day: text, time: "", full: text }
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
  return { day, time, full: `${day} ${time}` }
}

/** Shows a time with its exact text for those who point at it. */
export function time(text) {
  const shown = moment(text)
  if (!shown) return h("span", { class: "none" }, "unknown")
  return h("time", { datetime: text, title: exactly(text) }, h("span", { class: "day" }, shown.day), " ", shown.time)
}

/** The time as it was recorded, for those who point at it: exact to the microsecond, and in UTC. */
export const exactly = (text) => `Recorded as ${text} (UTC)`

/** Writes a number with separators. */
export const count = (number) => new Intl.NumberFormat().format(number)

/** Chooses between the singular and the plural. */
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`

/** Cuts an id in the middle. */
export const short = (text, length = 12) => (text && text.length > length + 3 ? `${text.slice(0, length)}…` : (text ?? ""))

/** Writes a time as an input for local times wants it. */
export function localText(text) {
  if (!text) return ""
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return ""
  return new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19)
}

export { eventLink, searchLink } from "./links.js"

/** What an event is called whose activity nobody can read. */
export const unreadable = (line) => (line.outcome === "erased" ? "Erased event" : "Damaged event")
