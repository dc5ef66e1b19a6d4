// The objects of a class: sorted by a click on a column, filtered by a condition, a page of them at a time.

import { announce, h, replace, setTitle } from "../ui/elements.js"
import { field, formOf, filledIn } from "../ui/forms.js"
import { visit } from "../ui/links.js"
import { none } from "../ui/parts.js"
import { count, plural } from "../ui/texts.js"
import { Refused, ask } from "./file-api.js"
import { classLink, objectLink, objectName, stored } from "./stored-values.js"

/** How many objects are on a page. */
const pageLength = 100

/**
 * Shows a class.
 *
 * @param {HTMLElement} content
 * @param {FileAddress} address
 * @returns {Promise<ReadAgain>}
 */
export async function showClass(content, { rest, query, signal }) {
  const name = rest[0] ?? ""
  const wanted = { where: query.get("where"), sort: query.get("sort"), descending: query.get("descending") }
  const offset = Math.max(0, Math.floor(Number(query.get("offset")) || 0))
  /** @param {Query} change */
  const link = (change) => classLink(name, { ...wanted, ...change })
  setTitle(name)
  const problem = h("p", { class: "message condition-problem", id: "condition-problem", role: "alert" })
  const input = h("input", { id: "condition", name: "condition", autocomplete: "off", spellcheck: "false", value: wanted.where ?? "", maxlength: 4000, "aria-describedby": "condition-problem condition-help" })
  const form = h("form", { class: "condition", submit: (event) => visit(link({ where: filledIn(formOf(event), "condition"), offset: null })) },
    field("condition", "Only objects that fulfil", input), h("button", { type: "submit" }, "Filter"),
    wanted.where && h("a", { class: "action", id: "clear", href: link({ where: null, offset: null }) }, "Show all"))
  const help = h("p", { class: "help", id: "condition-help" }, "In the query language, such as age > 3 AND name BEGINSWITH 'A'.")
  const results = h("div", {})
  replace(content, h("div", { class: "heading" }, h("h1", {}, h("span", { class: "kind" }, "Class "), name)), form, help, problem, results)
  let isFirst = true
  return async () => {
    try {
      const answer = await ask("objects", { class: name, ...wanted, offset, limit: pageLength }, signal)
      problem.textContent = ""
      input.removeAttribute("aria-invalid")
      keepPlace(results, () => replace(results, ...table(name, wanted, offset, link, answer)))
      if (isFirst) announce(plural(answer.total, "object"))
      isFirst = false
      return answer.state
    } catch (error) {
      // What is wrong with the condition stands beside it; anything else is of the whole page.
      if (!(error instanceof Refused) || error.status !== 400) throw error
      // The same sentence is not said again with each change of the file.
      if (problem.textContent !== error.message) problem.textContent = error.message
      if (wanted.where) input.setAttribute("aria-invalid", "true")
      replace(results)
      return ""
    }
  }
}

/**
 * Draws without moving what a reader looks at.
 *
 * @param {HTMLElement} results
 * @param {() => void} draw
 */
function keepPlace(results, draw) {
  const left = results.querySelector(".scroll")?.scrollLeft ?? 0
  const top = scrollY
  draw()
  const table = results.querySelector(".scroll")
  if (table) table.scrollLeft = left
  scrollTo(scrollX, top)
}

/**
 * @param {string} name
 * @param {{ where: string | null, sort: string | null, descending: string | null }} wanted
 * @param {number} offset
 * @param {(change: Query) => string} link
 * @param {FileAnswers["objects"]} answer
 * @returns {Child[]}
 */
function table(name, wanted, offset, link, { columns, total, rows }) {
  const shown = rows.length === 0 ? `${plural(total, "object")}.` : `${count(offset + 1)} to ${count(offset + rows.length)} of ${plural(total, "object")}.`
  const last = Math.max(0, Math.floor((total - 1) / pageLength) * pageLength)
  return [
    h("p", { class: "caption", id: "shown" }, shown),
    rows.length === 0
      ? none(total > 0 ? h("a", { href: link({ offset: last || null }) }, "Go to the last objects") : "There is no object to show.")
      : h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Objects of ${name}` },
        h("table", { class: "read-table objects" }, head(columns, wanted, link), h("tbody", {}, rows.map((row) => line(name, columns, row))))),
    h("nav", { class: "pager", "aria-label": "Pages of objects" },
      offset > 0 && h("a", { class: "action", id: "before", href: link({ offset: Math.max(0, offset - pageLength) || null }) }, "Before"),
      offset + rows.length < total && h("a", { class: "action", id: "after", href: link({ offset: offset + pageLength }) }, "After")),
  ]
}

/**
 * @param {FileProperty[]} columns
 * @param {{ sort: string | null, descending: string | null }} wanted
 * @param {(change: Query) => string} link
 */
const head = (columns, { sort, descending }, link) => h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Object"), columns.map(({ name, type, isSortable }, index) => {
  const order = sort === name ? (descending ? "descending" : "ascending") : null
  const next = link({ sort: name, descending: order === "ascending" ? "1" : null, offset: null })
  const mark = order && h("span", { "aria-hidden": "true" }, order === "ascending" ? " ▲" : " ▼")
  return h("th", { scope: "col", "aria-sort": order },
    isSortable ? h("button", { type: "button", id: `sort-${index}`, click: () => visit(next) }, name, mark) : name, h("span", { class: "type" }, type))
})))

/** @param {string} name @param {FileProperty[]} columns @param {FileRow} row */
const line = (name, columns, { key, row, values }) => h("tr", {},
  h("th", { scope: "row" }, h("a", { href: objectLink(name, key, row), id: `row-${row}` }, objectName(key, row))),
  values.map((value, index) => h("td", { "data-label": columns[index].name }, stored(value))))
