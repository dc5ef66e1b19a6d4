// Shows what an event holds: objects as forms or as a table, changes as old and new values side by side.

import { h } from "./elements.js"
import { objectLink, reconstructLink } from "./links.js"
import { maskedKind, maskedTag } from "./masked.js"
import { none, pairs, tableHead } from "./parts.js"
import { keyOf } from "./payload.js"
import { count, plural } from "./texts.js"
import { list, value } from "./values.js"

const maximumShown = 40
/** How many are shown of many, before somebody asks for more. */
const firstShown = 10

/**
 * Shows a payload.
 *
 * The context says which texts are keys of objects (`links`), and of which event it is (`at`) and whose (`person`), so that an
 * object leads to the record as that person had been shown it then.
 *
 * @param {Understood} understood
 * @param {PayloadContext} [context]
 * @returns {Child}
 */
export function show(understood, context = {}) {
  switch (understood.kind) {
    case "none": return none("The event has no content of its own.")
    case "text": return h("pre", { class: "text" }, understood.text)
    case "json": return h("div", { class: "sheet" }, value(understood.value, 0, context))
    case "read": return reads(understood, context)
    case "write": return writes(understood.changes, context)
  }
}

/** @param {{ type: string, objects: any[], terms: any }} read @param {PayloadContext} context @returns {Child} */
function reads({ type, objects, terms }, context) {
  if (objects.length === 0) return searched(type, terms)
  const isTable = objects.length > 2 && objects.every(isRecord)
  return isTable ? readTable(type, objects, context) : paged(objects, (object) => sheet(type, object, "shown", context), "object")
}

/** @param {any} object */
const isRecord = (object) => object !== null && typeof object === "object" && !Array.isArray(object) && !maskedKind(object)

/**
 * Several objects of one class: a row for each, a column for each property that any of them has.
 *
 * @param {string} type
 * @param {any[]} objects
 * @param {PayloadContext} context
 */
function readTable(type, objects, context) {
  /** @param {string} name */
  const isKey = (name) => name === "_id" || name === "id"
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))].sort((one, other) => Number(isKey(other)) - Number(isKey(one)))
  const body = h("tbody", {})
  /** @param {any} object */
  const row = (object) => {
    const key = keyOf(object)
    return h("tr", {}, names.map((name, index) => h(index === 0 ? "th" : "td", { scope: index === 0 && "row", "data-label": name },
      value(object[name], 1, context), index === 0 && key !== null && h("div", { class: "links" }, objectLinks(type, key, context)))))
  }
  const table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${plural(objects.length, "object")} of ${type}` },
    h("table", { class: "read-table" }, tableHead(...names), body))
  return [table, moreButton(objects, (part) => body.append(...part.map(row)), "object")]
}

/**
 * Shows what a search asked for that found nothing.
 *
 * @param {string} type
 * @param {any} terms
 */
function searched(type, terms) {
  /** @type {[string, Child][]} */
  const rows = [["Class", type]]
  const masked = terms && maskedKind(terms)
  if (masked) rows.push(["Asked for", maskedTag(masked)])
  else if (terms && typeof terms === "object") {
    if (terms.collection) rows.push(["In", terms.collection])
    rows.push(["Where", terms.predicate ? h("code", {}, String(terms.predicate)) : "anything"])
    /** @type {any[]} */
    const sort = Array.isArray(terms.sort) ? terms.sort : []
    if (sort.length > 0) rows.push(["Ordered by", sort.map((order) => `${order?.keyPath}${order?.ascending === false ? ", descending" : ""}`).join("; ")])
  }
  return h("article", { class: "sheet shown" },
    h("header", {}, h("h3", {}, "A search that found nothing")),
    pairs({ class: "fields" }, rows))
}

/** @param {PayloadChange[]} changes @param {PayloadContext} context @returns {Child} */
function writes(changes, context) {
  if (changes.length === 0) return none("Nothing was changed.")
  return paged(changes, (change) => {
    if (change.action === "inserted") return sheet(change.type, change.now, "inserted", context)
    if (change.action === "deleted") return sheet(change.type, change.before, "deleted", context)
    return comparison(change, context)
  }, "change")
}

/**
 * Shows the first of many, and more of them when asked.
 *
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => HTMLElement} render
 * @param {string} noun
 */
function paged(items, render, noun) {
  const list = h("div", { class: "sheets" })
  return [list, moreButton(items, (part) => list.append(...part.map(render)), noun)]
}

/**
 * Adds the first ten of many, and makes the button that adds more.
 *
 * @template Item
 * @param {Item[]} items
 * @param {(part: Item[]) => void} add
 * @param {string} noun
 */
function moreButton(items, add, noun) {
  let shown = 0
  const more = h("button", { type: "button", class: "quiet more-items", click: () => next(maximumShown) })
  /** @param {number} number */
  const next = (number) => {
    add(items.slice(shown, shown + number))
    shown = Math.min(items.length, shown + number)
    more.hidden = shown >= items.length
    more.textContent = `Show ${plural(Math.min(maximumShown, items.length - shown), "more " + noun, "more " + noun + "s")} of ${count(items.length)}`
  }
  next(firstShown)
  return more
}

/** @param {string} type @param {string | null} key @param {string} action @param {PayloadContext} context */
function heading(type, key, action, context) {
  return h("header", {},
    h("h3", {}, type, key !== null && [" ", h("span", { class: "key" }, key)]),
    action !== "shown" && h("span", { class: `tag ${action}` }, action),
    key !== null && h("span", { class: "more" }, objectLinks(type, key, context)),
  )
}

/** @param {string} type @param {string} key @param {PayloadContext} context @returns {Child[]} */
const objectLinks = (type, key, { at, person }) => [
  at && person && h("a", { href: reconstructLink({ class: type, key, person, at }) }, "As seen then"), " ",
  h("a", { href: objectLink(type, key) }, "Everything about it"),
]

/** @param {string} type @param {any} object @param {string} action @param {PayloadContext} context */
function sheet(type, object, action, context) {
  return h("article", { class: `sheet ${action}` }, heading(type, keyOf(object), action, context),
    value(object, 0, context))
}

/**
 * Shows old and new values side by side; what differs is marked in words and colour, of lists item by item.
 *
 * @param {PayloadChange} change
 * @param {PayloadContext} context
 */
function comparison({ type, before, now }, context) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})])]
  const changed = names.filter((name) => now && name in now)
  const same = names.filter((name) => !changed.includes(name))
  /** @param {string} name @param {boolean} isChanged */
  const row = (name, isChanged) => h("tr", { class: isChanged ? "changed" : "same" },
    h("th", { scope: "row" }, name, isChanged && h("span", { class: "unseen" }, " (changed)")),
    h("td", {}, isChanged ? marked("del", before?.[name], now[name], context) : value(before?.[name], 1, context)),
    h("td", {}, isChanged ? marked("ins", now[name], before?.[name], context) : h("span", { class: "none" }, "unchanged")))
  return h("article", { class: "sheet modified" },
    heading(type, keyOf(before), "modified", context),
    h("table", { class: "comparison" },
      tableHead("Property", "Before", "After"),
      h("tbody", {}, changed.length === 0 && h("tr", {}, h("td", { colspan: 3, class: "none" }, "Written with the values that it had.")),
        changed.map((name) => row(name, true)), same.map((name) => row(name, false)))))
}

/**
 * Marks a value, or of a list those items that the other list has not.
 *
 * @param {"del" | "ins"} mark
 * @param {any} content
 * @param {any} other
 * @param {PayloadContext} context
 */
function marked(mark, content, other, context) {
  if (!Array.isArray(content) || !Array.isArray(other) || content.length === 0) return h(mark, {}, value(content, 1, context))
  const left = new Map()
  for (const item of other) {
    const text = JSON.stringify(item)
    left.set(text, (left.get(text) ?? 0) + 1)
  }
  return list(content, (item) => {
    const text = JSON.stringify(item)
    const isKept = (left.get(text) ?? 0) > 0
    if (isKept) left.set(text, left.get(text) - 1)
    return h(isKept ? "span" : mark, {}, value(item, 2, context))
  })
}
