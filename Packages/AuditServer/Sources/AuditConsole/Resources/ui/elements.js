// Builds elements. Texts become text nodes and nothing else, so that nothing stored is ever taken for markup.

/**
 * Makes an element: `h("a", {href: "#/x"}, "text", child)`. Functions become listeners, true an empty attribute.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Properties} properties
 * @param {Child[]} children
 */
export function h(name, properties, ...children) {
  const element = document.createElement(name)
  fill(element, properties)
  append(element, children)
  return element
}

/**
 * Makes an element of SVG.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Properties} properties
 * @param {Child[]} children
 */
export function svg(name, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  fill(element, properties)
  append(element, children)
  return element
}

/** @param {Element} element @param {Properties} properties */
function fill(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue
    if (typeof value === "function") element.addEventListener(key, value)
    else element.setAttribute(key, value === true ? "" : String(value))
  }
}

/** @param {Element} element @param {Child[]} children */
function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) append(element, child)
    else element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/**
 * The element of the start page, or of a page that is shown, with an id.
 *
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`nothing has the id ${id}`)
  return element
}

/**
 * Names the page in the window's title.
 *
 * @param {string} name
 */
export function setTitle(name) {
  document.title = `${name} · Daybook`
}

/**
 * Puts children in the place of what an element has.
 *
 * The keyboard stays where it was: at the control of the same id, else at the element.
 *
 * @param {Element} element
 * @param {Child[]} children
 */
export function replace(element, ...children) {
  const before = document.activeElement
  const hadFocus = before !== element && element.contains(before)
  element.replaceChildren()
  append(element, children)
  if (!hadFocus) return
  const same = before?.id && document.getElementById(before.id)
  if (same) same.focus({ preventScroll: true })
  else keep(element)
}

/**
 * Puts an element in the place of another one; the keyboard stays at the control of the same id.
 *
 * @param {Element} old
 * @param {Element} made
 */
export function swap(old, made) {
  const id = old.contains(document.activeElement) ? document.activeElement?.id : ""
  old.replaceWith(made)
  if (id) document.getElementById(id)?.focus({ preventScroll: true })
}

/**
 * Takes an element away; the keyboard goes on from what it lay in.
 *
 * @param {Element} element
 */
export function remove(element) {
  const place = element.parentElement
  const hadFocus = element.contains(document.activeElement)
  element.remove()
  if (hadFocus && place) keep(place)
}

/**
 * Goes on from an element, which need be no control.
 *
 * @param {Element} element
 */
function keep(element) {
  if (!(element instanceof HTMLElement)) return
  if (!element.hasAttribute("tabindex")) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/**
 * Says something to a screen reader.
 *
 * @param {string} text
 */
export function announce(text) {
  byId("announcer").textContent = text
}
