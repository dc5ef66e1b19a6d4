// Shows what is stored: texts are texts, links lead to the object that they point at, and what was left out is said.

import { h } from "../ui/elements.js"
import { pageLink } from "../ui/links.js"
import { count, plural } from "../ui/texts.js"
import { time } from "../ui/times.js"

/**
 * The page of an object: by its key, which other files have, too; otherwise by its row.
 *
 * @param {string} name
 * @param {Maybe<string>} key
 * @param {Maybe<string>} row
 */
export const objectLink = (name, key, row) => pageLink(`object/${encodeURIComponent(name)}`, key ? { key } : { row })

/**
 * The page of a class.
 *
 * @param {string} name
 * @param {Query} query
 */
export const classLink = (name, query = {}) => pageLink(`class/${encodeURIComponent(name)}`, query)

/**
 * What an object is called.
 *
 * @param {Maybe<string>} key
 * @param {Maybe<string>} row
 */
export const objectName = (key, row) => key || `#${row ?? ""}`

/**
 * Says what is left out of a value.
 *
 * @param {StoredValue} value
 */
function rest({ kind, whole, items, entries }) {
  if (whole === null || whole === undefined) return null
  if (kind === "data") return h("span", { class: "none" }, ` of ${plural(whole, "byte")}`)
  if (kind === "text") return h("span", { class: "none" }, `… (${plural(whole, "character")})`)
  const shown = (items ?? entries ?? []).length
  return h("span", { class: "none" }, shown === 0 ? plural(whole, "value") : `and ${count(whole - shown)} more`)
}

/**
 * Shows a value.
 *
 * @param {StoredValue} value
 * @returns {Child}
 */
export function stored(value) {
  const { kind, text, items, entries } = value
  switch (kind) {
    case "none": return value.whole ? rest(value) : h("span", { class: "none" }, "—")
    case "text": return h("span", { class: "stored" }, text === "" ? h("span", { class: "none" }, "empty") : text, rest(value))
    case "data": return h("span", { class: "stored-data" }, text || h("span", { class: "none" }, "no bytes"), rest(value))
    case "date": return time(text)
    case "link": return h("a", { href: objectLink(value.className ?? "", text, value.row) }, `${value.className} ${objectName(text, value.row)}`)
    case "list": return list(items ?? [], value)
    case "map": case "object": return named(entries ?? [], value)
    default: return h("span", { class: "scalar" }, text)
  }
}

/** @param {StoredValue[]} items @param {StoredValue} value */
function list(items, value) {
  if (items.length === 0) return rest(value) ?? h("span", { class: "none" }, "no values")
  return h("ul", { class: "list" }, items.map((item) => h("li", {}, stored(item))), value.whole ? h("li", {}, rest(value)) : null)
}

/** @param {StoredEntry[]} entries @param {StoredValue} value */
function named(entries, value) {
  if (entries.length === 0) return rest(value) ?? h("span", { class: "none" }, "no values")
  return [h("dl", { class: "fields" }, entries.map(({ name, value }) => [h("dt", {}, name), h("dd", {}, stored(value))])), rest(value)]
}
