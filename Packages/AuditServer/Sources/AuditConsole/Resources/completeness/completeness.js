// Completeness: which devices there are, how far each is stored, and what is missing.

import * as api from "../ui/api.js"
import { isSigned } from "../ui/proof.js"
import { circumstances, clockSection, deviceFacts, deviceName, interruptedSection } from "./devices.js"
import { personLink, searchLink } from "../ui/links.js"
import { count, h, plural, replace, time } from "../ui/elements.js"

const quietAfter = 24 * 3600 * 1_000_000

export async function showCompleteness(content, signal) {
  document.title = "Completeness · Daybook"
  replace(content, h("p", { class: "state" }, "Reading all partitions and checking their signatures…"))
  const all = (await api.partitions(signal)).filter((partition) => partition.app !== "daybook/auditors")
  const unfinished = {}
  for (const outcome of ["interrupted", "incomplete", "damaged", "erased"]) {
    const volume = await api.get("search/volume", { outcome, bars: 2 }, signal)
    // Nobody counts for an auditor of some apps; an unknown number is no nought, and what was counted in part is no number.
    unfinished[outcome] = !volume.isExact ? null : volume.counts.reduce((sum, number) => sum + number, 0)
  }
  const [clocks, log, interrupted] = await Promise.all([
    api.get("completeness/clocks", {}, signal), api.get("completeness/log", {}, signal),
    api.get("timeline", { outcome: "interrupted", limit: 200 }, signal),
  ])
  const devices = await grouped(all, new Set(log.gaps))
  const known = await circumstances(devices, signal)
  if (signal.aborted) return
  const losses = all.flatMap((partition) => (partition.seal?.losses ?? []).map((loss) => ({ partition, loss })))
  const lost = losses.filter(({ loss }) => loss.reason !== "encodingFailed").reduce((sum, { loss }) => sum + loss.count, 0)
  const open = all.filter((partition) => !partition.seal)
  const gaps = devices.reduce((sum, device) => sum + device.gaps.length, 0)
  const unsigned = devices.reduce((sum, device) => sum + device.forged.length, 0)
  const events = all.reduce((sum, partition) => sum + partition.count, 0)
  replace(content, h("div", { class: "completeness" },
    h("h1", {}, "Completeness"),
    h("p", { class: "lead" }, "Each device numbers its events from 1, signs a partition when it closes it, and names the one before. An event that is missing inside a partition, or a partition that is missing between others, leaves a trace. What a device has not sent yet leaves none."),
    h("ul", { class: "figures" },
      figure(count(events), "events stored", null),
      figure(count(all.length - open.length), "partitions closed", null),
      figure(count(open.length), "partitions open", open.length > 0 ? "open" : null),
      figure(count(gaps), "missing partitions", gaps > 0 ? "bad" : "good"),
      figure(count(log.missing.length), "closed partitions that are not there as the log says", log.missing.length > 0 ? "bad" : "good"),
      figure(count(lost), "events lost, by the devices’ own ledgers", lost > 0 ? "bad" : "good"),
      figure(count(unsigned), "signatures that do not hold", unsigned > 0 ? "bad" : "good"),
      figure(count(clocks.length), "runs of devices with clock trouble", clocks.length > 0 ? "open" : "good"),
      outcomeFigure("interrupted", unfinished, "events of interrupted scopes", "open"),
      outcomeFigure("incomplete", unfinished, "payloads that could not be made", "bad"),
      outcomeFigure("damaged", unfinished, "damaged when they were indexed", "bad"),
      outcomeFigure("erased", unfinished, "of the events stored are erased", null)),
    log.missing.length > 0 && missingSection(log.missing), clockSection(clocks), interruptedSection(interrupted),
    losses.length > 0 && h("section", {}, h("h2", {}, "What devices lost"), lossTable(losses)),
    devices.map((device) => deviceSection(device, known.get(device.partitions.at(-1).partition))),
    devices.length === 0 && h("p", { class: "none" }, "No device has uploaded anything yet.")))
}

/** Partitions that devices sealed, and of which something is gone or was changed since. */
const missingSection = (missing) => h("section", { class: "missing" },
  h("h2", {}, "Closed, and not there as the log says"),
  h("table", { class: "partitions" },
    h("thead", {}, h("tr", {}, ["Partition", "App", "Account", "Sealed", "Stored", "What is wrong"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, missing.slice(0, 500).map((found) => h("tr", {},
      h("td", { class: "name" }, found.partition), h("td", { "data-label": "App" }, found.app), h("td", { "data-label": "Account" }, found.user),
      h("td", { "data-label": "Sealed" }, count(found.sealed)), h("td", { "data-label": "Stored" }, count(found.stored)),
      h("td", { "data-label": "What is wrong" }, h("span", { class: "badge broken" }, "Missing"), ` ${found.problems.join("; ")}`))))))

const figure = (number, label, state) => h("li", { class: state ?? "" }, h("strong", {}, number), h("span", {}, label))

/** A number that leads to the events; what is not counted for this auditor is to be searched. */
function outcomeFigure(outcome, numbers, label, state) {
  const number = numbers[outcome]
  const link = h("a", { href: searchLink({ outcome }) }, number === null ? "search" : count(number))
  return figure(link, label, number === null ? null : number > 0 ? state : "good")
}

/** Groups partitions by the person and the key that closed them; what is missing before one is the server's word. */
async function grouped(partitions, gaps) {
  const groups = new Map()
  for (const partition of partitions) {
    const name = [partition.app, partition.user, partition.seal?.publicKey ?? ""].join("\u0000")
    if (!groups.has(name)) groups.set(name, { app: partition.app, user: partition.user, key: partition.seal?.publicKey ?? null, partitions: [], gaps: [], forged: [] })
    groups.get(name).partitions.push(partition)
  }
  for (const device of groups.values()) {
    for (const partition of device.partitions) {
      const { seal } = partition
      if (!seal) continue
      if (gaps.has(partition.partition)) device.gaps.push(partition)
      if ((await isSigned(seal)) === false || seal.root !== partition.root || seal.count !== partition.count) device.forged.push(partition)
    }
  }
  return [...groups.values()]
}

function deviceSection(device, found) {
  const body = h("tbody", {}, device.partitions.slice(0, 500).map((partition) => partitionRow(partition, device)))
  return h("section", { class: "device" },
    h("h2", {}, deviceName(device, found)),
    h("p", {}, "App ", h("strong", {}, device.app), ", account ", h("a", { href: personLink(device.user) }, device.user),
      ` · ${plural(device.partitions.length, "partition")}, ${plural(device.partitions.reduce((sum, { count: number }) => sum + number, 0), "event")}`),
    deviceFacts(device, found),
    h("table", { class: "partitions" },
      h("thead", {}, h("tr", {}, ["Partition", "Last sequence", "First event", "Last event", "Last received", "State"].map((name) => h("th", { scope: "col" }, name)))),
      body),
    device.partitions.length > 500 && h("p", { class: "none" }, `and ${count(device.partitions.length - 500)} more; the command “daybook partitions” lists all of them.`))
}

function partitionRow(partition, device) {
  const { seal } = partition
  const instant = (micros) => (micros === null || micros === undefined ? h("span", { class: "none" }, "—") : time(new Date(micros / 1000).toISOString()))
  const states = []
  if (device.forged.includes(partition)) states.push(h("span", { class: "badge broken" }, "Signature does not hold"))
  if (device.gaps.includes(partition)) states.push(h("span", { class: "badge broken" }, "The one before is missing"))
  if (seal && states.length === 0) states.push(h("span", { class: "badge proven" }, "Closed and signed"))
  if (seal?.losses.length) states.push(h("span", { class: "tag warning" }, plural(seal.losses.length, "loss", "losses")))
  if (!seal) {
    const isQuiet = Date.now() * 1000 - partition.received > quietAfter
    states.push(h("span", { class: `tag ${isQuiet ? "warning" : "custom"}` }, isQuiet ? "open, silent for a day" : "open"))
  }
  const label = (name, content) => h("td", { "data-label": name }, content)
  return h("tr", {},
    h("td", { class: "name" }, h("a", { href: searchLink({ partition: partition.partition, order: "oldest" }) }, partition.partition)),
    label("Last sequence", count(partition.count)), label("First event", instant(seal?.first)), label("Last event", instant(seal?.last)),
    label("Last received", instant(partition.received)), label("State", states))
}

const reasons = {
  quota: "the storage that the app allowed was full", tooLarge: "an event was too large", damaged: "the file was damaged",
  writeFailed: "the disk refused it", encodingFailed: "a payload could not be made", retention: "it was too old to be kept",
  interrupted: "the process ended before it was written", missing: "the file was gone, and not by the app",
  indexLost: "the device's index of its sealed partitions was gone: what is missing from before cannot be told",
}

function lossTable(losses) {
  return h("table", { class: "partitions" },
    h("thead", {}, h("tr", {}, ["Partition", "Lost", "Why", "Noticed"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, losses.slice(0, 500).map(({ partition, loss }) => h("tr", {},
      h("td", { class: "name" }, partition.partition), h("td", { "data-label": "Lost" }, count(loss.count)),
      h("td", { "data-label": "Why" }, reasons[loss.reason] ?? loss.reason),
      h("td", { "data-label": "Noticed" }, time(new Date(loss.noticed / 1000).toISOString()))))))
}
