// One object with all of its values; links lead on, and embedded objects are where they live.

import { h, replace, setTitle } from "../ui/elements.js"
import { ask } from "./file-api.js"
import { classLink, objectName, stored } from "./stored-values.js"

/**
 * Shows an object.
 *
 * @param {HTMLElement} content
 * @param {FileAddress} address
 * @returns {Promise<ReadAgain>}
 */
export async function showObject(content, { rest, query, signal }) {
  const name = rest[0] ?? ""
  const { key, row } = { key: query.get("key"), row: query.get("row") }
  setTitle(`${name} ${objectName(key, row)}`)
  const sheet = h("section", { class: "sheet", "aria-label": "Values" })
  replace(content,
    h("div", { class: "heading" }, h("h1", {}, h("a", { href: classLink(name), id: "class" }, name), " ", h("span", { class: "key" }, objectName(key, row)))), sheet)
  return async () => {
    const { state, lines } = await ask("object", { class: name, key, row }, signal)
    replace(sheet, h("dl", { class: "fields object-lines" },
      lines.map(({ name, type, value }) => [h("dt", { title: type }, name), h("dd", {}, stored(value))])))
    return state
  }
}
