// What a write changed, value by value, as short as a list wants it.

import { h } from "./elements.js"
import { count, short } from "./texts.js"
import { inZone } from "./words.js"
import { maskedKind, maskedTag, maskedText } from "./masked.js"

/**
 * A list of the first changes of an event; null when it changed nothing that is known.
 *
 * @param {EventLine} line
 */
export function changeList(line) {
  const { changes, objectCount } = line
  if (!changes || changes.length === 0) return null
  const isOfSeveral = new Set(changes.map(({ class: type, key }) => `${type} ${key}`)).size > 1 || objectCount > 1
  return h("ul", { class: "changes" }, changes.map((change) => h("li", {},
    isOfSeveral && h("span", { class: "none" }, `${change.class} ${short(change.key, 8)} `),
    h("span", { class: "name" }, change.name), " ", values(change))))
}

/**
 * The first change in words, for a line that has no room for more.
 *
 * @param {EventLine} line
 */
export function firstChange({ changes }) {
  if (!changes || changes.length === 0) return ""
  const [{ name, before, after }] = changes
  const rest = changes.length - 1
  const texts = [before, after].flatMap((value) => (value === null || value === undefined ? [] : [short(plain(value), 24)]))
  return `: ${name} ${texts.join(" → ")}${rest > 0 ? ` and ${count(rest)} more` : ""}`
}

/** @param {ValueChange} change @returns {Child} */
function values({ before, after }) {
  if (before === null || before === undefined) return h("ins", {}, value(after))
  return [h("del", {}, value(before)), h("span", { "aria-hidden": "true" }, " → "), h("span", { class: "unseen" }, " became "), h("ins", {}, value(after))]
}

/** @param {string} text */
const masked = (text) => {
  try {
    return text === maskedText ? "string" : text.startsWith("{") ? maskedKind(JSON.parse(text)) : null
  } catch {
    // A value that was cut is no JSON any more.
    return null
  }
}

/** @param {string} text */
const plain = (text) => (masked(text) ? "masked" : inZone(text))

/** @param {Maybe<string>} text */
function value(text) {
  if (text === null || text === undefined) return "none"
  const kind = masked(text)
  return kind ? maskedTag(kind) : text === "" ? "empty text" : inZone(text)
}
