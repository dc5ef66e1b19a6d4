// The volume of events over time. A part of it can be chosen with the pointer, or with the arrow keys.

import { count, h, moment, plural, svg } from "./elements.js"

const height = 72

/** Shows a volume that was counted exactly; `choose(since, until)` is called with microseconds when somebody marks a part. */
export function histogram(volume, choose) {
  if (volume.counts.length === 0) return h("p", { class: "none" }, "No events in this time.")
  const most = Math.max(1, ...volume.counts)
  const total = volume.counts.reduce((sum, number) => sum + number, 0)
  const bars = volume.counts.length
  const edge = (bar) => volume.start + bar * volume.width
  // Milliseconds matter only when a bar is shorter than a second.
  const length = volume.width < 1_000_000 ? 23 : 19
  const label = (micros) => (Math.abs(micros) < 8.64e18 ? moment(new Date(micros / 1000).toISOString()).full.slice(0, length) : "far away")
  const shape = svg("svg", {
    class: "histogram", viewBox: `0 0 ${bars} ${height}`, preserveAspectRatio: "none", tabindex: 0, role: "slider",
    "aria-label": "Events over time. Arrow keys move the mark, with Shift they widen it, Enter shows that time only.",
    "aria-valuemin": 0, "aria-valuemax": bars - 1, "aria-valuenow": 0,
  })
  volume.counts.forEach((number, bar) => {
    const size = number === 0 ? 0 : Math.max(2, (number / most) * (height - 4))
    shape.append(svg("rect", { class: "column", x: bar + 0.08, width: 0.84, y: height - size, height: size }))
  })
  const mark = svg("rect", { class: "mark", x: 0, y: 0, width: 0, height })
  shape.append(mark)
  const caption = h("p", { class: "caption" })
  const say = (first, last) => {
    const sum = volume.counts.slice(first, last + 1).reduce((all, number) => all + number, 0)
    const text = `${label(edge(first))} to ${label(edge(last + 1))}: ${plural(sum, "event")}`
    caption.textContent = text
    shape.setAttribute("aria-valuenow", first)
    shape.setAttribute("aria-valuetext", text)
  }
  const rest = () => {
    caption.textContent = `${plural(total, "event")} · ${label(edge(0))} to ${label(edge(bars))} · at most ${count(most)} in a bar`
  }
  let first = null
  let last = null
  const paint = () => {
    const [low, high] = [Math.min(first, last), Math.max(first, last)]
    mark.setAttribute("x", low)
    mark.setAttribute("width", high - low + 1)
    say(low, high)
  }
  const take = () => {
    const [low, high] = [Math.min(first, last), Math.max(first, last)]
    choose(edge(low), edge(high + 1))
  }
  const at = (event) => {
    const box = shape.getBoundingClientRect()
    return Math.max(0, Math.min(bars - 1, Math.floor(((event.clientX - box.left) / box.width) * bars)))
  }
  let isMarking = false
  shape.addEventListener("pointerdown", (event) => {
    isMarking = true
    shape.setPointerCapture(event.pointerId)
    first = last = at(event)
    paint()
  })
  shape.addEventListener("pointermove", (event) => {
    if (isMarking) {
      last = at(event)
      paint()
    } else {
      say(at(event), at(event))
    }
  })
  shape.addEventListener("pointerup", () => {
    isMarking = false
    take()
  })
  shape.addEventListener("pointerleave", () => { if (!isMarking && first === null) rest() })
  shape.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step) {
      last = Math.max(0, Math.min(bars - 1, (last ?? 0) + step))
      if (!event.shiftKey || first === null) first = last
      paint()
    } else if (event.key === "Enter" && first !== null) {
      take()
    } else {
      return
    }
    event.preventDefault()
  })
  rest()
  return h("figure", { class: "volume" }, shape, caption)
}
