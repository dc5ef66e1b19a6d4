// Filters in words, with all times in the one zone of the page.

import { moment } from "./times.js"

/** @type {Record<string, string>} */
const names = {
  class: "class", key: "key", person: "person", outcome: "outcome", since: "from", until: "until",
  receivedSince: "received from", receivedUntil: "received until", boot: "run of a device", device: "device’s key",
}
const times = ["since", "until", "receivedSince", "receivedUntil", "at"]
const exactTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/**
 * What a filter is called.
 *
 * @param {string} name
 */
export const filterName = (name) => (Object.hasOwn(names, name) ? names[name] : name.replace(/^metadata\./, ""))

/**
 * What a filter has to be; a time in the zone of the page.
 *
 * @param {string} name
 * @param {string} value
 */
export const filterValue = (name, value) => (times.includes(name) ? moment(value).full.replace(/\.000$/, "") : value)

/**
 * Says what a query asks for.
 *
 * @param {string | Record<string, string>} query
 */
export function spoken(query) {
  const parts = [...new URLSearchParams(query)].filter(([name]) => !["order", "limit", "bars"].includes(name))
    .map(([name, value]) => `${filterName(name)} ${filterValue(name, value)}`)
  return parts.length === 0 ? "all events" : parts.join(", ")
}

/**
 * Writes each exact time in a text, such as a sentence of the server, in the zone of the page.
 *
 * @param {string} text
 */
export const inZone = (text) => text.replace(exactTime, (exact) => moment(exact).full)
