// The volume of events over time. A part of it can be chosen with the pointer, or with the arrow keys.

import { h, svg } from "./elements.js"
import { none } from "./parts.js"
import { count, plural, sum } from "./texts.js"
import { instant, moment } from "./times.js"

const height = 72

/**
 * Shows a volume that was counted exactly; `choose(since, until)` is called with microseconds when somebody marks a part.
 *
 * @param {Volume} volume
 * @param {(since: number, until: number) => void} choose
 */
export function histogram(volume, choose) {
  const { start, width, counts } = volume
  if (start === null || start === undefined || counts.length === 0) return none("No events in this time.")
  const most = Math.max(1, ...counts)
  const bars = counts.length
  /** @param {number} bar */
  const edge = (bar) => start + bar * width
  // Milliseconds matter only when a bar is shorter than a second.
  const length = width < 1_000_000 ? 23 : 19
  /** @param {number} micros */
  const label = (micros) => {
    const text = instant(micros)
    return text === null ? "far away" : moment(text).full.slice(0, length)
  }
  const shape = svg("svg", {
    class: "histogram", viewBox: `0 0 ${bars} ${height}`, preserveAspectRatio: "none", tabindex: 0, role: "slider",
    "aria-label": "Events over time. Arrow keys move the mark, with Shift they widen it, Enter shows that time only.",
    "aria-valuemin": 0, "aria-valuemax": bars - 1, "aria-valuenow": 0,
  })
  counts.forEach((number, bar) => {
    const size = number === 0 ? 0 : Math.max(2, (number / most) * (height - 4))
    shape.append(svg("rect", { class: "column", x: bar + 0.08, width: 0.84, y: height - size, height: size }))
  })
  const mark = svg("rect", { class: "mark", x: 0, y: 0, width: 0, height })
  shape.append(mark)
  const caption = h("p", { class: "caption" })
  /** @param {number} first @param {number} last */
  const say = (first, last) => {
    const text = `${label(edge(first))} to ${label(edge(last + 1))}: ${plural(sum(counts.slice(first, last + 1)), "event")}`
    caption.textContent = text
    shape.setAttribute("aria-valuenow", String(first))
    shape.setAttribute("aria-valuetext", text)
  }
  const rest = () => {
    caption.textContent = `${plural(sum(counts), "event")} · ${label(edge(0))} to ${label(edge(bars))} · at most ${count(most)} in a bar`
  }
  /**
   * What is marked, from the bar where somebody began to the one where they are.
   *
   * @type {{ first: number, last: number } | null}
   */
  let marked = null
  /** @param {{ first: number, last: number }} chosen */
  const paint = (chosen) => {
    marked = chosen
    const [low, high] = [Math.min(chosen.first, chosen.last), Math.max(chosen.first, chosen.last)]
    mark.setAttribute("x", String(low))
    mark.setAttribute("width", String(high - low + 1))
    say(low, high)
  }
  const take = () => {
    if (marked) choose(edge(Math.min(marked.first, marked.last)), edge(Math.max(marked.first, marked.last) + 1))
  }
  /** @param {PointerEvent} event */
  const at = (event) => {
    const box = shape.getBoundingClientRect()
    return Math.max(0, Math.min(bars - 1, Math.floor(((event.clientX - box.left) / box.width) * bars)))
  }
  let isMarking = false
  shape.addEventListener("pointerdown", (event) => {
    isMarking = true
    shape.setPointerCapture(event.pointerId)
    paint({ first: at(event), last: at(event) })
  })
  shape.addEventListener("pointermove", (event) => {
    if (isMarking && marked) paint({ first: marked.first, last: at(event) })
    else say(at(event), at(event))
  })
  shape.addEventListener("pointerup", () => {
    isMarking = false
    take()
  })
  shape.addEventListener("pointerleave", () => { if (!isMarking && marked === null) rest() })
  shape.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0
    if (step !== 0) {
      const last = Math.max(0, Math.min(bars - 1, (marked?.last ?? 0) + step))
      paint({ first: event.shiftKey && marked ? marked.first : last, last })
    } else if (event.key === "Enter" && marked) {
      take()
    } else {
      return
    }
    event.preventDefault()
  })
  rest()
  return h("figure", { class: "volume" }, shape, caption)
}
