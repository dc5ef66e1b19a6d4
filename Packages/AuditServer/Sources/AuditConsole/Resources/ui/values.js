// Shows the values of a payload; texts that are keys lead to what they name, and times are in the zone of the page.

import { h } from "./elements.js"
import { objectLink } from "./links.js"
import { maskedKind, maskedTag } from "./masked.js"
import { pairs } from "./parts.js"
import { count } from "./texts.js"
import { exactly, moment } from "./times.js"

const maximumDepth = 24
const maximumItems = 200

/** @param {Record<string, any>} object @param {number} depth @param {PayloadContext} context */
const fields = (object, depth, context) => pairs({ class: "fields" }, Object.entries(object).map(([name, content]) => [name, value(content, depth + 1, context)]))

/**
 * Shows a value; texts that are keys lead to what they name.
 *
 * @param {any} content
 * @param {number} depth
 * @param {PayloadContext} context
 * @returns {Child}
 */
export function value(content, depth, context) {
  if (content === null || content === undefined) return h("span", { class: "none" }, "—")
  const masked = maskedKind(content)
  if (masked) return maskedTag(masked)
  if (depth > maximumDepth) return h("code", {}, JSON.stringify(content))
  if (Array.isArray(content)) {
    if (content.length === 0) return h("span", { class: "none" }, "none")
    return list(content, (item) => value(item, depth + 1, context))
  }
  if (typeof content === "object") return fields(content, depth, context)
  if (typeof content === "string") return text(content, context)
  return h("span", { class: "scalar" }, String(content))
}

/** @param {any[]} items @param {(item: any) => Child} render */
export const list = (items, render) => h("ul", { class: "list" }, items.slice(0, maximumItems).map((item) => h("li", {}, render(item))),
  items.length > maximumItems && h("li", { class: "none" }, `and ${count(items.length - maximumItems)} more, see the raw JSON`))

/**
 * Shows a value that is JSON text; numbers keep all their digits.
 *
 * @param {string} json
 * @param {PayloadContext} context
 */
export function showJSON(json, context) {
  if (/^-?\d/.test(json)) return h("span", { class: "scalar" }, json)
  try {
    return value(JSON.parse(json), 0, context)
  } catch {
    return h("code", {}, json)
  }
}

/**
 * Shows a date as all times of the page; of a day that was stored as its midnight in UTC, such as one of birth, that day stands beside it.
 *
 * @param {string} content
 */
function date(content) {
  const shown = moment(content)
  const day = /^(.{10})T00:00:00(\.0+)?Z$/.exec(content)?.[1]
  return [h("time", { datetime: content, title: exactly(content) }, shown.full.replace(/\.000$/, "")),
    day && !shown.full.startsWith(`${day} 00:00:00`) && h("span", { class: "none" }, ` (the day ${day} in UTC)`)]
}

const looksLikeKey = /^([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const looksLikeTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** @param {string} content @param {PayloadContext} context */
function text(content, { links }) {
  if (links?.has(content) || (!links && looksLikeKey.test(content))) {
    return h("a", { class: "key", href: objectLink(null, content), title: "Everything about this object" }, content)
  }
  if (looksLikeTime.test(content)) return date(content)
  return content === "" ? h("span", { class: "none" }, "empty text") : content
}
