// Masked values: how the server writes them, and how a page shows that there is a value, and not which.

import { h } from "./elements.js"

/** What the server puts in the place of a masked text. */
export const maskedText = "$masked"

/** What pages say where values are masked, and where a reviewer had them shown. */
export const maskedWords = {
  hidden: "Values that the app’s rules mask are not shown.",
  shown: "Masked values are shown. That you looked, and why, is recorded.",
}

/**
 * The kind of a masked value, or null when a value is not masked.
 *
 * @param {any} value
 * @returns {string | null}
 */
export function maskedKind(value) {
  if (value === maskedText) return "string"
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null
  const names = Object.keys(value)
  return names.length === 1 && names[0] === "$masked" && typeof value.$masked === "string" ? value.$masked : null
}

/** @type {Record<string, string>} */
const words = { string: "text", number: "number", boolean: "yes or no", list: "list", object: "values" }

/**
 * Shows that there is a value, and not which.
 *
 * @param {string} kind
 */
export const maskedTag = (kind) => h("span", { class: "veiled" }, h("span", { "aria-hidden": "true" }, "▮▮▮▮ "), `masked ${words[kind] ?? "value"}`)
