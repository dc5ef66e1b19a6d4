// Completeness: which devices there are, how far each is stored, and what is missing.

import * as api from "../ui/api.js"
import { h, replace, setTitle } from "../ui/elements.js"
import { isAsSealed } from "../ui/seals.js"
import { personLink, searchLink } from "../ui/links.js"
import { cell, figure, none, tableHead, waiting } from "../ui/parts.js"
import { count, plural, sum } from "../ui/texts.js"
import { instant, time } from "../ui/times.js"
import { checkSection } from "./check.js"
import { circumstances, deviceFacts, deviceName } from "./devices.js"
import { clockSection, interruptedSection, lossSection, missingSection } from "./findings.js"

const quietAfter = 24 * 3600 * 1_000_000
const maximumShown = 500

/** @param {HTMLElement} content @param {AbortSignal} signal */
export async function showCompleteness(content, signal) {
  setTitle("Completeness")
  waiting(content, "Reading all partitions and checking their signatures…")
  const all = (await api.partitions(signal)).filter((partition) => partition.app !== "daybook/auditors")
  const unfinished = await unfinishedEvents(signal)
  const [clocks, log, interrupted] = await Promise.all([
    api.get("completeness/clocks", {}, signal), api.get("completeness/log", {}, signal),
    api.get("timeline", { outcome: "interrupted", limit: 200 }, signal),
  ])
  const devices = await grouped(all, new Set(log.gaps))
  const known = await circumstances(devices, signal)
  if (signal.aborted) return
  const losses = all.flatMap((partition) => (partition.seal?.losses ?? []).map((loss) => ({ partition, loss })))
  const lost = sum(losses.map(({ loss }) => (loss.reason === "encodingFailed" ? 0 : loss.count)))
  const open = all.filter((partition) => !partition.seal).length
  const gaps = sum(devices.map((device) => device.gaps.length))
  const unsigned = sum(devices.map((device) => device.forged.length))
  /**
   * A number that is bad unless it is nought.
   *
   * @param {number} number
   * @param {string} label
   */
  const fault = (number, label, state = "bad") => figure(count(number), label, number > 0 ? state : "good")
  replace(content, h("div", { class: "completeness" },
    h("h1", {}, "Completeness"),
    h("p", { class: "lead" }, "Each device numbers its events from 1, signs a partition when it closes it, and names the one before. An event that is missing inside a partition, or a partition that is missing between others, leaves a trace. What a device has not sent yet leaves none."),
    h("ul", { class: "figures" },
      figure(count(sum(all.map((partition) => partition.count))), "events stored"),
      figure(count(all.length - open), "partitions closed"),
      figure(count(open), "partitions open", open > 0 ? "open" : null),
      fault(gaps, "missing partitions"),
      fault(log.missing.length, "closed partitions that are not there as the log says"),
      fault(lost, "events lost, by the devices’ own ledgers"),
      fault(unsigned, "signatures that do not hold"),
      fault(clocks.length, "runs of devices with clock trouble", "open"),
      unfinished.map(outcomeFigure)),
    checkSection(log.check), log.missing.length > 0 && missingSection(log.missing), clockSection(clocks), interruptedSection(interrupted),
    losses.length > 0 && lossSection(losses),
    devices.map((device) => deviceSection(device, known.get(device.newest.partition))),
    devices.length === 0 && none("No device has uploaded anything yet.")))
}

const outcomes = [
  { outcome: "interrupted", label: "events of interrupted scopes", state: "open" },
  { outcome: "incomplete", label: "payloads that could not be made", state: "bad" },
  { outcome: "damaged", label: "damaged when they were indexed", state: "bad" },
  { outcome: "erased", label: "of the events stored are erased", state: null },
]

/**
 * How many events have an outcome other than the usual one.
 *
 * @param {AbortSignal} signal
 */
async function unfinishedEvents(signal) {
  const found = []
  for (const { outcome, label, state } of outcomes) {
    const volume = await api.get("search/volume", { outcome, bars: 2 }, signal)
    // Nobody counts for an auditor of some apps; an unknown number is no nought, and what was counted in part is no number.
    found.push({ outcome, label, state, number: volume.isExact ? sum(volume.counts) : null })
  }
  return found
}

/**
 * A number that leads to the events; what is not counted for this auditor is to be searched.
 *
 * @param {{ outcome: string, label: string, state: string | null, number: number | null }} found
 */
const outcomeFigure = ({ outcome, label, state, number }) => figure(
  h("a", { href: searchLink({ outcome }) }, number === null ? "search" : count(number)), label, number === null ? null : number > 0 ? state : "good")

/**
 * Groups partitions by the person and the key that closed them, and checks their signatures; what is missing before one is the
 * server's word.
 *
 * @param {PartitionRecord[]} partitions
 * @param {Set<string>} gaps
 */
async function grouped(partitions, gaps) {
  /** @type {Map<string, Device>} */
  const groups = new Map()
  for (const partition of partitions) {
    const key = partition.seal?.publicKey ?? null
    const name = [partition.app, partition.user, key ?? ""].join("\u0000")
    const device = groups.get(name) ?? { app: partition.app, user: partition.user, key, newest: partition, partitions: [], gaps: [], forged: [] }
    groups.set(name, device)
    device.partitions.push(partition)
    device.newest = partition
    if (gaps.has(partition.partition)) device.gaps.push(partition)
    if ((await isAsSealed(partition)) === false) device.forged.push(partition)
  }
  return [...groups.values()]
}

/** @param {Device} device @param {Circumstances | undefined} found */
function deviceSection(device, found) {
  const { app, user, partitions } = device
  return h("section", { class: "device" },
    h("h2", {}, deviceName(device, found)),
    h("p", {}, "App ", h("strong", {}, app), ", account ", h("a", { href: personLink(user) }, user),
      ` · ${plural(partitions.length, "partition")}, ${plural(sum(partitions.map((partition) => partition.count)), "event")}`),
    deviceFacts(device, found),
    h("table", { class: "partitions" },
      tableHead("Partition", "Last sequence", "First event", "Last event", "Last received", "State"),
      h("tbody", {}, partitions.slice(0, maximumShown).map((partition) => partitionRow(partition, device)))),
    partitions.length > maximumShown && none(`and ${count(partitions.length - maximumShown)} more; the command “daybook partitions” lists all of them.`))
}

/** @param {PartitionRecord} partition @param {Device} device */
function partitionRow(partition, device) {
  const { seal } = partition
  /** @param {Maybe<number>} micros */
  const when = (micros) => (micros === null || micros === undefined ? h("span", { class: "none" }, "—") : time(instant(micros)))
  const states = []
  if (device.forged.includes(partition)) states.push(h("span", { class: "badge broken" }, "Signature does not hold"))
  if (device.gaps.includes(partition)) states.push(h("span", { class: "badge broken" }, "The one before is missing"))
  if (seal && states.length === 0) states.push(h("span", { class: "badge proven" }, "Closed and signed"))
  if (seal && seal.losses.length > 0) states.push(h("span", { class: "tag warning" }, plural(seal.losses.length, "loss", "losses")))
  if (!seal) {
    const isQuiet = Date.now() * 1000 - partition.received > quietAfter
    states.push(h("span", { class: `tag ${isQuiet ? "warning" : "custom"}` }, isQuiet ? "open, silent for a day" : "open"))
  }
  return h("tr", {},
    h("td", { class: "name" }, h("a", { href: searchLink({ partition: partition.partition, order: "oldest" }) }, partition.partition)),
    cell("Last sequence", count(partition.count)), cell("First event", when(seal?.first)), cell("Last event", when(seal?.last)),
    cell("Last received", when(partition.received)), cell("State", states))
}
