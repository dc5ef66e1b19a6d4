// Shows what an event holds: objects as forms, changes as old and new values side by side.

import { objectLink, reconstructLink } from "./links.js"
import { count, exactly, h, moment, plural } from "./elements.js"
import { maskedKind, maskedTag } from "./unmask.js"

const maximumShown = 40
/** How many are shown of many, before somebody asks for more. */
const firstShown = 10
const maximumDepth = 24

/** Understands a payload: `{kind: "read" | "write" | "json" | "text" | "none", …}`. */
export function understand(event, data) {
  if (data === null || data === undefined) return { kind: "none" }
  let value
  try {
    value = JSON.parse(data)
  } catch {
    return { kind: "text", text: data }
  }
  if (event === "read" && typeof value?.type === "string" && Array.isArray(value.value)) {
    return { kind: "read", type: value.type, objects: value.value, terms: value.where ?? null }
  }
  if (event === "write" && value && typeof value === "object" && !Array.isArray(value)) {
    const changes = Object.entries(value).flatMap(([type, lists]) => [
      ...(lists?.insertions ?? []).map((now) => ({ type, action: "inserted", before: null, now })),
      ...(lists?.modifications ?? []).map((change) => ({
        type, action: "modified", before: change.oldValue, now: change.newValue,
      })),
      ...(lists?.deletions ?? []).map((before) => ({ type, action: "deleted", before, now: null })),
    ])
    return { kind: "write", changes }
  }
  return { kind: "json", value }
}

export const keyOf = (object) => {
  const key = object?._id ?? object?.id
  return typeof key === "string" || typeof key === "number" ? String(key) : null
}

/** Leaves one object of a payload, if it is there by itself; one inside others stays where it is. */
export function only(understood, type, key) {
  const isIt = (object) => keyOf(object) === key
  if (understood.kind === "read" && understood.type === type && understood.objects.some(isIt)) {
    return { ...understood, objects: understood.objects.filter(isIt) }
  }
  if (understood.kind !== "write") return understood
  const changes = understood.changes.filter((change) => change.type === type && isIt(change.before ?? change.now))
  return changes.length > 0 ? { ...understood, changes } : understood
}

/**
 * Shows a payload.
 *
 * The context says which texts are keys of objects (`links`), and of which event it is (`at`) and whose (`person`), so that an
 * object leads to the record as that person had been shown it then.
 */
export function show(understood, context = {}) {
  switch (understood.kind) {
    case "none": return h("p", { class: "none" }, "The event has no content of its own.")
    case "text": return h("pre", { class: "text" }, understood.text)
    case "json": return h("div", { class: "sheet" }, value(understood.value, 0, context))
    case "read": return reads(understood, context)
    case "write": return writes(understood, context)
  }
}

function reads({ type, objects, terms }, context) {
  if (objects.length === 0) return searched(type, terms)
  const isTable = objects.length > 2 && objects.every(isRecord)
  return isTable ? readTable(type, objects, context) : paged(objects, (object) => sheet(type, object, "shown", context), "object")
}

const isRecord = (object) => object !== null && typeof object === "object" && !Array.isArray(object) && !maskedKind(object)

/** Several objects of one class: a row for each, a column for each property that any of them has. */
function readTable(type, objects, context) {
  const isKey = (name) => name === "_id" || name === "id"
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))].sort((one, other) => isKey(other) - isKey(one))
  const body = h("tbody", {})
  const row = (object) => {
    const key = keyOf(object)
    return h("tr", {}, names.map((name, index) => h(index === 0 ? "th" : "td", { scope: index === 0 && "row", "data-label": name },
      value(object[name], 1, context), index === 0 && key !== null && h("div", { class: "links" }, objectLinks(type, key, context)))))
  }
  const table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${plural(objects.length, "object")} of ${type}` },
    h("table", { class: "read-table" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))), body))
  return [table, moreButton(objects, (part) => body.append(...part.map(row)), "object")]
}

/** Shows what a search asked for that found nothing. */
function searched(type, terms) {
  const rows = [["Class", type]]
  const masked = terms && maskedKind(terms)
  if (masked) rows.push(["Asked for", maskedTag(masked)])
  else if (terms && typeof terms === "object") {
    if (terms.collection) rows.push(["In", terms.collection])
    rows.push(["Where", terms.predicate ? h("code", {}, String(terms.predicate)) : "anything"])
    const sort = Array.isArray(terms.sort) ? terms.sort : []
    if (sort.length > 0) rows.push(["Ordered by", sort.map((order) => `${order?.keyPath}${order?.ascending === false ? ", descending" : ""}`).join("; ")])
  }
  return h("article", { class: "sheet shown" },
    h("header", {}, h("h3", {}, "A search that found nothing")),
    h("dl", { class: "fields" }, rows.map(([name, content]) => [h("dt", {}, name), h("dd", {}, content)])))
}

function writes({ changes }, context) {
  if (changes.length === 0) return h("p", { class: "none" }, "Nothing was changed.")
  return paged(changes, (change) => {
    if (change.action === "inserted") return sheet(change.type, change.now, "inserted", context)
    if (change.action === "deleted") return sheet(change.type, change.before, "deleted", context)
    return comparison(change, context)
  }, "change")
}

/** Shows the first of many, and more of them when asked. */
function paged(items, render, noun) {
  const list = h("div", { class: "sheets" })
  return [list, moreButton(items, (part) => list.append(...part.map(render)), noun)]
}

/** Adds the first ten of many, and makes the button that adds more. */
function moreButton(items, add, noun) {
  let shown = 0
  const more = h("button", { type: "button", class: "quiet more-items", click: () => next(maximumShown) })
  const next = (number) => {
    add(items.slice(shown, shown + number))
    shown = Math.min(items.length, shown + number)
    more.hidden = shown >= items.length
    more.textContent = `Show ${plural(Math.min(maximumShown, items.length - shown), "more " + noun, "more " + noun + "s")} of ${count(items.length)}`
  }
  next(firstShown)
  return more
}

function heading(type, key, action, { at, person }) {
  return h("header", {},
    h("h3", {}, type, key !== null && [" ", h("span", { class: "key" }, key)]),
    action !== "shown" && h("span", { class: `tag ${action}` }, action),
    key !== null && h("span", { class: "more" }, objectLinks(type, key, { at, person })),
  )
}

const objectLinks = (type, key, { at, person }) => [
  at && person && h("a", { href: reconstructLink({ class: type, key, person, at }) }, "As seen then"), " ",
  h("a", { href: objectLink(type, key) }, "Everything about it"),
]

function sheet(type, object, action, context) {
  const isObject = object && !maskedKind(object) && typeof object === "object" && !Array.isArray(object)
  return h("article", { class: `sheet ${action}` }, heading(type, keyOf(object), action, context), isObject ? fields(object, 0, context) : value(object, 0, context))
}

function fields(object, depth, context) {
  return h("dl", { class: "fields" }, Object.entries(object).map(([name, content]) => [h("dt", {}, name), h("dd", {}, value(content, depth + 1, context))]))
}

/** Shows a value; texts that are keys lead to what they name. */
function value(content, depth, context) {
  if (content === null || content === undefined) return h("span", { class: "none" }, "—")
  if (maskedKind(content)) return maskedTag(maskedKind(content))
  if (depth > maximumDepth) return h("code", {}, JSON.stringify(content))
  if (Array.isArray(content)) {
    if (content.length === 0) return h("span", { class: "none" }, "none")
    return h("ul", { class: "list" }, content.slice(0, 200).map((item) => h("li", {}, value(item, depth + 1, context))),
      content.length > 200 && h("li", { class: "none" }, `and ${count(content.length - 200)} more, see the raw JSON`))
  }
  if (typeof content === "object") return fields(content, depth, context)
  if (typeof content === "string") return text(content, context)
  return h("span", { class: "scalar" }, String(content))
}

/** Shows a value that is JSON text; numbers keep all their digits. */
export function showJSON(json, context) {
  if (/^-?\d/.test(json)) return h("span", { class: "scalar" }, json)
  try {
    return value(JSON.parse(json), 0, context)
  } catch {
    return h("code", {}, json)
  }
}

/** Whether a payload has an object with a key whose property has this value, given as JSON text. */
export function holds(data, key, name, json) {
  const isThere = (item, depth) => {
    if (item === null || typeof item !== "object" || depth > 128) return false
    // Of a change, the old values name the object, and the new ones say only what is new.
    if (keyOf(item) === key || keyOf(item.oldValue) === key) {
      for (const place of [item, item.oldValue, item.newValue]) {
        if (place && typeof place === "object" && name in place && JSON.stringify(place[name]) === wanted) return true
      }
    }
    return Object.values(item).some((inner) => isThere(inner, depth + 1))
  }
  let wanted
  try {
    wanted = JSON.stringify(JSON.parse(json))
    return isThere(JSON.parse(data), 0)
  } catch {
    return false
  }
}

const looksLikeKey = /^([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
/** Shows a date as all times of the page; of a day that was stored as its midnight in UTC, such as one of birth, that day stands beside it. */
function date(content) {
  const shown = moment(content)
  const day = /^(.{10})T00:00:00(\.0+)?Z$/.exec(content)?.[1]
  return [h("time", { datetime: content, title: exactly(content) }, shown.full.replace(/\.000$/, "")),
    day && !shown.full.startsWith(`${day} 00:00:00`) && h("span", { class: "none" }, ` (the day ${day} in UTC)`)]
}

const looksLikeTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function text(content, { links }) {
  if (links?.has(content) || (!links && looksLikeKey.test(content))) {
    return h("a", { class: "key", href: objectLink(null, content), title: "Everything about this object" }, content)
  }
  if (looksLikeTime.test(content)) return date(content)
  return content === "" ? h("span", { class: "none" }, "empty text") : content
}

/** Shows old and new values side by side; what differs is marked in words and colour, of lists item by item. */
function comparison({ type, before, now }, context) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})])]
  const changed = names.filter((name) => now && name in now)
  const same = names.filter((name) => !changed.includes(name))
  const row = (name, isChanged) => h("tr", { class: isChanged ? "changed" : "same" },
    h("th", { scope: "row" }, name, isChanged && h("span", { class: "unseen" }, " (changed)")),
    h("td", {}, isChanged ? marked("del", before?.[name], now[name], context) : value(before?.[name], 1, context)),
    h("td", {}, isChanged ? marked("ins", now[name], before?.[name], context) : h("span", { class: "none" }, "unchanged")))
  return h("article", { class: "sheet modified" },
    heading(type, keyOf(before), "modified", context),
    h("table", { class: "comparison" },
      h("thead", {}, h("tr", {}, ["Property", "Before", "After"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, changed.length === 0 && h("tr", {}, h("td", { colspan: 3, class: "none" }, "Written with the values that it had.")),
        changed.map((name) => row(name, true)), same.map((name) => row(name, false)))))
}

/** Marks a value, or of a list those items that the other list has not. */
function marked(mark, content, other, context) {
  if (!Array.isArray(content) || !Array.isArray(other) || content.length === 0) return h(mark, {}, value(content, 1, context))
  const left = new Map()
  for (const item of other) {
    const text = JSON.stringify(item)
    left.set(text, (left.get(text) ?? 0) + 1)
  }
  const items = content.slice(0, 200).map((item) => {
    const text = JSON.stringify(item)
    const isKept = (left.get(text) ?? 0) > 0
    if (isKept) left.set(text, left.get(text) - 1)
    return h("li", {}, h(isKept ? "span" : mark, {}, value(item, 2, context)))
  })
  return h("ul", { class: "list" }, items, content.length > 200 && h("li", { class: "none" }, `and ${count(content.length - 200)} more, see the raw JSON`))
}
