// Filters in words, with all times in the one zone of the page.

import { moment } from "./elements.js"

const names = {
  class: "class", key: "key", person: "person", outcome: "outcome", since: "from", until: "until",
  receivedSince: "received from", receivedUntil: "received until", boot: "run of a device", device: "device’s key",
}
const times = ["since", "until", "receivedSince", "receivedUntil", "at"]
const exactTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** What a filter is called. */
export const filterName = (name) => (Object.hasOwn(names, name) ? names[name] : name.replace(/^metadata\./, ""))

/** What a filter has to be; a time in the zone of the page. */
export const filterValue = (name, value) => (times.includes(name) ? (moment(value)?.full ?? value).replace(/\.000$/, "") : value)

/** Says what a query asks for. */
export function spoken(query) {
  const parts = [...new URLSearchParams(query)].filter(([name]) => !["order", "limit", "bars"].includes(name))
    .map(([name, value]) => `${filterName(name)} ${filterValue(name, value)}`)
  return parts.length === 0 ? "all events" : parts.join(", ")
}

/** Writes each exact time in a text, such as a sentence of the server, in the zone of the page. */
export const inZone = (text) => text.replace(exactTime, (exact) => moment(exact).full)
