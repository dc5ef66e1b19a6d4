// The volume of a search over time. Where the index alone cannot tell what fits, the events themselves are counted first.

import * as api from "./api.js"
import { announce, h, replace } from "./elements.js"
import { none } from "./parts.js"
import { count, plural } from "./texts.js"
import { histogram } from "./histogram.js"

const bars = 120
const pageSize = 200
/** How many events and requests are spent before somebody is asked whether to go on. */
const countedAtOnce = 2000
const requestsAtOnce = 60

/** The place of a volume, before it is counted. */
export const volumePlace = () => h("div", { class: "volume-place", "aria-busy": "true" })

/**
 * Says that it is being counted.
 *
 * @param {string} [soFar]
 */
export const counting = (soFar = "") => h("p", { class: "none counting" }, `Counting…${soFar}`)

/**
 * Shows how many events of a filter there are when; nothing is drawn that was not compared with the whole filter.
 *
 * From the page of results that is shown, `first`, the events are counted on in both directions, if the index cannot tell.
 * `choose(since, until)` is called with exact times when somebody marks a part. Returns the events where they
 * were counted here, else null.
 *
 * @param {HTMLElement} place
 * @param {Record<string, string>} filter
 * @param {string} order
 * @param {Promise<ResultPage>} first
 * @param {(since: string, until: string) => void} choose
 * @param {AbortSignal} signal
 */
export async function showVolume(place, filter, order, first, choose, signal) {
  place.setAttribute("aria-busy", "true")
  replace(place, counting())
  /** @param {number} micros */
  const iso = (micros) => new Date(micros / 1000).toISOString().replace("Z", "000Z")
  /** @param {Volume} volume */
  const draw = (volume) => replace(place, histogram(volume, (since, until) => choose(iso(since), iso(Math.ceil(until / 1000) * 1000))))
  try {
    const volume = await api.get("search/volume", { ...filter, bars }, signal)
    if (volume.isExact) {
      draw(volume)
      return null
    }
    const lines = await countAll(place, filter, order, await first, signal)
    if (signal.aborted) return null
    draw(binned(lines, filter))
    return lines
  } catch {
    if (!signal.aborted) replace(place, none("The volume over time cannot be shown now."))
    return null
  } finally {
    place.removeAttribute("aria-busy")
  }
}

/**
 * Reads all results in front of a page and behind it; says how many there are so far.
 *
 * @param {HTMLElement} place
 * @param {Record<string, string>} filter
 * @param {string} order
 * @param {ResultPage} first
 * @param {AbortSignal} signal
 */
async function countAll(place, filter, order, { events, before, after }, signal) {
  const lines = [...events]
  /** @type {{ way: "before" | "after", cursor: Maybe<string> }[]} */
  const all = [{ way: "before", cursor: before }, { way: "after", cursor: after }]
  const ways = all.filter(({ cursor }) => cursor)
  let [stop, left] = [countedAtOnce, requestsAtOnce]
  while (ways.length > 0 && !signal.aborted) {
    if (lines.length >= stop || left === 0) {
      await asked(place, lines.length, signal)
      stop = lines.length + countedAtOnce
      left = requestsAtOnce
    }
    if (signal.aborted) break
    replace(place, counting(` ${plural(lines.length, "event")} so far.`))
    const { way, cursor } = ways[0]
    const page = await api.get("search", { ...filter, order, limit: pageSize, [way]: cursor }, signal)
    left -= 1
    lines.push(...page.events)
    if (page[way]) ways[0].cursor = page[way]
    else ways.shift()
  }
  return lines
}

/**
 * Says that there are more than were counted, and waits until somebody wants to know.
 *
 * @param {HTMLElement} place
 * @param {number} number
 * @param {AbortSignal} signal
 */
function asked(place, number, signal) {
  return /** @type {Promise<void>} */ (new Promise((resolve) => {
    const more = h("button", { type: "button", class: "quiet", id: "count-on", click: () => resolve() }, "Go on counting")
    replace(place, none(`At least ${plural(number, "event")}. Each has to be read to know whether it fits, so that counting pauses here. `, more))
    announce(`At least ${count(number)} events.`)
    place.removeAttribute("aria-busy")
    signal.addEventListener("abort", () => resolve(), { once: true })
  }))
}

/**
 * Counts events in bars, as the server does where it can.
 *
 * @param {EventLine[]} lines
 * @param {Record<string, string>} filter
 * @returns {Volume}
 */
function binned(lines, { since, until }) {
  const times = lines.flatMap(({ timestamp }) => (timestamp ? [microseconds(timestamp)] : [])).sort((one, other) => one - other)
  if (times.length === 0) return { start: null, width: 0, counts: [], isExact: true }
  const start = since ? microseconds(since) : times[0]
  const last = Math.max(start, until ? microseconds(until) - 1 : times[times.length - 1])
  const width = Math.floor((last - start) / bars) + 1
  const counts = Array(bars).fill(0)
  for (const time of times) counts[Math.max(0, Math.min(bars - 1, Math.floor((time - start) / width)))] += 1
  return { start, width, counts, isExact: true }
}

/**
 * A time in microseconds; numbers of this size are exact.
 *
 * @param {string} text
 */
function microseconds(text) {
  const digits = /\.(\d+)/.exec(text)?.[1] ?? ""
  return Math.floor(Date.parse(text) / 1000) * 1_000_000 + Number(digits.padEnd(6, "0").slice(0, 6))
}
