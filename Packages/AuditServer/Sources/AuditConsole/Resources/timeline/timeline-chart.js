// Draws a session: a group of lanes for each run of a device, scopes as bars, reads and writes inside, custom events as marks.
// The picture is for the eye; the list beside it says the same to a screen reader.

import { svg } from "../ui/elements.js"
import { personOf } from "../ui/lines.js"
import { moment, pause } from "../ui/times.js"

const lane = 40
const margin = 14
const breakAfter = 120_000

/** @param {SessionEvent} entry */
const timeOf = (entry) => (entry.line.timestamp ? Date.parse(entry.line.timestamp) : null)

/**
 * What an event is drawn as: the types of apps are all one.
 *
 * @param {EventLine} line
 * @returns {"read" | "write" | "custom"}
 */
export const drawnAs = ({ event }) => (event === "read" || event === "write" ? event : "custom")

/**
 * Places each event: the longer the pause, the farther, but never so far that the eye loses the thread.
 *
 * @param {SessionEvent[]} events
 */
function places(events) {
  // Few events have room for the names of their scopes.
  const step = events.length <= 16 ? 62 : events.length <= 60 ? 34 : 22
  /** @type {{ x: number, text: string }[]} */
  const breaks = []
  let x = margin + 6
  /** @type {number | null} */
  let before = null
  const xs = events.map((entry) => {
    const time = timeOf(entry)
    const gap = before === null || time === null ? 0 : Math.max(0, time - before)
    if (before !== null) x += step + Math.min(40, 10 * Math.log10(1 + gap / 1000))
    if (gap >= breakAfter) {
      breaks.push({ x: x + 22, text: pause(gap) })
      x += 44
    }
    before = time ?? before
    return x
  })
  return { xs, breaks, step, width: x + margin + step }
}

/**
 * Gives each scope the first lane that is free where it begins.
 *
 * @param {Span[]} scopes
 */
function lanes(scopes) {
  /** @type {number[]} */
  const ends = []
  return scopes.map(({ from, to }) => {
    let free = ends.findIndex((end) => end + 4 < from)
    if (free < 0) free = ends.length
    ends[free] = to
    return free
  })
}

/**
 * Draws the chart; `choose(index)` is called for an event that is pointed at.
 *
 * @param {Session} session
 * @param {(index: number) => void} choose
 */
export function chart({ scopes, events }, choose) {
  const { xs, breaks, step, width } = places(events)
  /** @type {(Span | null)[]} */
  const spans = scopes.map(() => null)
  events.forEach(({ scope }, index) => {
    if (scope === null || scope === undefined) return
    // Room for a name behind the last event; what stands there next is in another lane.
    spans[scope] = { from: spans[scope]?.from ?? xs[index] - 9, to: xs[index] + Math.max(9, step - 16) }
  })
  const runs = [...new Set(events.map(({ boot }) => boot ?? ""))]
  /** @type {{ x: number, y: number, entry: SessionEvent }[]} */
  const marks = []
  /** @type {Child[]} */
  const shapes = []
  let y = 36
  for (const run of runs) {
    const own = scopes.flatMap((scope, index) => {
      const span = spans[index]
      return span && scope.boot === run ? [{ scope, index, ...span }] : []
    })
    const free = events.map((entry, index) => ({ entry, index })).filter(({ entry }) => (entry.boot ?? "") === run && (entry.scope === null || entry.scope === undefined))
    if (runs.length > 1) {
      shapes.push(svg("text", { class: "run", x: margin, y: y + 11 }, run ? `Device run ${run.slice(0, 8)}` : "Unreadable"))
      y += 18
    }
    if (free.length > 0) {
      for (const { entry, index } of free) marks[index] = { x: xs[index], y: y + 10, entry }
      y += 24
    }
    const places = lanes(own)
    own.forEach(({ scope, index, from, to }, number) => {
      const top = y + places[number] * (lane + 6)
      shapes.push(...bar(scope, from, to, top))
      events.forEach((entry, at) => { if (entry.scope === index) marks[at] = { x: xs[at], y: top + 28, entry } })
    })
    y += own.length === 0 ? 4 : (Math.max(...places) + 1) * (lane + 6) + 4
  }
  const height = y + 6
  const cursor = svg("rect", { class: "cursor", x: 0, y: 32, width: 18, height: height - 36, rx: 3 })
  const shape = svg("svg", { class: "timeline", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    axis(events, xs), breaks.map(({ x, text }) => [svg("line", { class: "break", x1: x, x2: x, y1: 31, y2: height }), svg("text", { class: "pause", x, y: 27, "text-anchor": "middle" }, text)]),
    cursor, shapes, marks.map(({ x, y: top, entry }, index) => mark(x, top, entry, () => choose(index))))
  return {
    shape,
    /**
     * Moves the mark to an event, and returns where it is.
     *
     * @param {number} index
     */
    show(index) {
      cursor.setAttribute("x", String(xs[index] - 9))
      return xs[index]
    },
  }
}

/** @param {SessionScope} scope @param {number} from @param {number} to @param {number} top @returns {Child[]} */
function bar(scope, from, to, top) {
  const path = `bar ${scope.isInterrupted ? "interrupted" : ""}`
  const left = scope.hasEarlier ? from - 8 : from
  const right = scope.hasLater ? to + 8 : to
  const width = right - left
  const letters = Math.max(1, Math.floor((width - 10) / 6.2))
  const name = scope.activity.length > letters ? `${scope.activity.slice(0, Math.max(1, letters - 1))}…` : scope.activity
  return [
    svg("rect", { class: path, x: left, y: top, width, height: lane, rx: 4 }, svg("title", {}, scope.activity)),
    scope.hasEarlier && svg("rect", { class: "open-end", x: left - 1, y: top, width: 3, height: lane }),
    scope.hasLater && svg("rect", { class: "open-end", x: right - 2, y: top, width: 3, height: lane }),
    width > 26 && svg("text", { class: "activity", x: left + 6, y: top + 14 }, name),
  ]
}

/**
 * A read is a ring, a write a full square, a custom event a diamond, so that colour is not the only difference.
 *
 * @param {number} x
 * @param {number} y
 * @param {SessionEvent} entry
 * @param {() => void} click
 */
function mark(x, y, { line }, click) {
  const kind = drawnAs(line)
  const shape = {
    read: () => svg("circle", { cx: x, cy: y, r: 4.5 }),
    write: () => svg("rect", { x: x - 5, y: y - 5, width: 10, height: 10 }),
    custom: () => svg("path", { d: `M${x} ${y - 6.5}L${x + 6.5} ${y}L${x} ${y + 6.5}L${x - 6.5} ${y}Z` }),
  }[kind]()
  return svg("g", { class: `event ${kind}`, click },
    svg("rect", { class: "target", x: x - 9, y: y - 12, width: 18, height: 24 }), shape,
    svg("title", {}, `${line.timestamp ? moment(line.timestamp).full : "unreadable"} ${line.activity ?? "damaged"} ${line.event ?? ""}, ${personOf(line, true)}`))
}

/**
 * Times along the top, as many as there is room for.
 *
 * @param {SessionEvent[]} events
 * @param {number[]} xs
 */
function axis(events, xs) {
  /** @type {Child[]} */
  const texts = []
  let free = 0
  events.forEach((entry, index) => {
    const { timestamp } = entry.line
    if (!timestamp || xs[index] < free) return
    const at = moment(timestamp)
    texts.push(svg("text", { class: "tick", x: xs[index], y: 12, "text-anchor": index === 0 ? "start" : "middle" }, at.time.slice(0, 8)))
    free = xs[index] + 120
  })
  return texts
}
