// Times: all in the one zone of the browser, and as they were recorded for those who point at them.

import { h } from "./elements.js"

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that all times are shown in and asked for; its distance from UTC changes with the seasons. */
export const zoneName = () => zone

/** @param {number} number */
const pad = (number, count = 2) => String(number).padStart(count, "0")

/**
 * Splits a time in ISO 8601 into the local day and the local time with milliseconds; one that no calendar holds stays as it is.
 *
 * @param {string} text
 */
export function moment(text) {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return { day: text, time: "", full: text }
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
  return { day, time, full: `${day} ${time}` }
}

/**
 * Shows a time with its exact text for those who point at it.
 *
 * @param {Maybe<string>} text
 */
export function time(text) {
  if (!text) return h("span", { class: "none" }, "unknown")
  const shown = moment(text)
  return h("time", { datetime: text, title: exactly(text) }, h("span", { class: "day" }, shown.day), " ", shown.time)
}

/**
 * The time as it was recorded, for those who point at it: exact to the microsecond, and in UTC.
 *
 * @param {string} text
 */
export const exactly = (text) => `Recorded as ${text} (UTC)`

/**
 * Writes microseconds since 1970 in ISO 8601, exact to the millisecond; null for what no calendar of the browser holds.
 *
 * @param {Maybe<number>} micros
 */
export const instant = (micros) => (typeof micros === "number" && Math.abs(micros) < 8.64e18 ? new Date(micros / 1000).toISOString() : null)

/**
 * Writes a time as an input for local times wants it.
 *
 * @param {Maybe<string | number>} text
 */
export function localText(text) {
  if (!text) return ""
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return ""
  return new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19)
}

/**
 * What an input for local times holds, in UTC; empty when nothing was filled in.
 *
 * @param {string} text
 */
export const fromLocal = (text) => (text === "" ? "" : new Date(text).toISOString())

/**
 * Says how long a pause was.
 *
 * @param {number} milliseconds
 */
export function pause(milliseconds) {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
