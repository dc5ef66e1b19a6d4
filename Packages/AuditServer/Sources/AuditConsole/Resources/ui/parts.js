// Parts that most pages are made of: tables, figures, notices, and what stands in the place of a page that did not work.

import { h, replace } from "./elements.js"
import { short } from "./texts.js"
import { filterName, filterValue } from "./words.js"

/**
 * The head of a table.
 *
 * @param {string[]} names
 */
export const tableHead = (...names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))))

/**
 * A cell that names its column where the screen is too narrow for the head.
 *
 * @param {string} label
 * @param {Child[]} content
 */
export const cell = (label, ...content) => h("td", { "data-label": label }, content)

/**
 * A list of names with their values; those without a value are left out.
 *
 * @param {Properties} properties
 * @param {[string, Child][]} rows
 */
export const pairs = (properties, rows) => h("dl", properties,
  rows.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))

/**
 * A number that a page begins with, in a list of class `figures`.
 *
 * @param {Child} number
 * @param {string} label
 * @param {Maybe<string>} [state]
 */
export const figure = (number, label, state) => h("li", { class: state ?? "" }, h("strong", {}, number), h("span", {}, label))

/**
 * Something to know before one reads on.
 *
 * @param {Child[]} children
 */
export const notice = (...children) => h("p", { class: "notice" }, children)

/**
 * What stands where there is nothing to show.
 *
 * @param {Child[]} children
 */
export const none = (...children) => h("p", { class: "none" }, children)

/**
 * Says that a page is being read.
 *
 * @param {HTMLElement} content
 * @param {string} text
 */
export const waiting = (content, text) => replace(content, h("p", { class: "state" }, text))

/**
 * Says what is wrong in the place of a page.
 *
 * @param {string} title
 * @param {string} text
 * @param {Child[]} actions
 */
export const problem = (title, text, ...actions) => h("section", { class: "problem", role: "alert" },
  h("h1", {}, title), h("p", {}, text), h("p", { class: "actions" }, actions))

/**
 * What a chip says of a filter that it takes away.
 *
 * @param {string} name
 * @param {string} value
 * @param {number} length
 */
export const chipContent = (name, value, length) => [
  h("span", { class: "name" }, filterName(name)), " ", short(filterValue(name, value), length), h("span", { "aria-hidden": "true" }, " ×"),
]

/**
 * The same for a screen reader.
 *
 * @param {string} name
 * @param {string} value
 */
export const chipLabel = (name, value) => `Remove the filter ${filterName(name)}: ${filterValue(name, value)}`
