// What events tell about devices: their names as far as apps record some, their clocks, and scopes that ended with their process.

import * as api from "../ui/api.js"
import { eventLink, personLink, timelineLink } from "../ui/links.js"
import { pause } from "../timeline/timeline-chart.js"
import { h, plural, short, time } from "../ui/elements.js"

const named = 100
const deviceColumns = ["device", "deviceName", "device_name", "deviceId", "device_id", "tablet", "workstation", "host", "hostname", "model"]

/** Asks for the newest events of each device's newest partition; returns what they say by partition. */
export async function circumstances(devices, signal) {
  const newest = devices.map(({ partitions }) => partitions.at(-1).partition).slice(0, named)
  if (newest.length === 0) return new Map()
  const found = await api.get("completeness/devices", newest.map((partition) => ["partition", partition]), signal)
  return new Map(found.map((one) => [one.partition, one]))
}

/** The name that the app recorded for a device, else the first digits of the key that it signs with. */
export function deviceName(device, found) {
  const metadata = found?.metadata ?? {}
  const column = deviceColumns.find((name) => metadata[name])
  if (column) return metadata[column]
  return device.key ? `Device ${device.key.slice(0, 4)} ${device.key.slice(4, 8)}` : "A device that has closed no partition yet"
}

/** Other things that the newest event says, which help to tell devices apart. */
export function deviceFacts(device, found) {
  const metadata = Object.entries(found?.metadata ?? {}).filter(([name]) => !deviceColumns.includes(name))
  return h("p", { class: "caption" },
    device.key ? ["Key ", h("code", { title: device.key }, short(device.key, 16))] : "Its key is known when it closes a partition",
    found?.boot && [" · last run ", h("a", { href: timelineLink({ person: device.user, boot: found.boot }) }, short(found.boot, 12))],
    found && [" · newest event ", time(new Date(found.newest / 1000).toISOString())],
    metadata.length > 0 && ` · ${metadata.slice(0, 4).map(([name, value]) => `${name} ${short(value, 20)}`).join(", ")}`)
}

const head = (...names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))))
const cell = (label, ...content) => h("td", { "data-label": label }, content)

/** Clocks that were set, stood still or were ahead. */
export function clockSection(findings) {
  const place = ({ partition, sequence, time: micros }) => h("a", { href: eventLink(partition, sequence) }, time(new Date(micros / 1000).toISOString()))
  const rows = findings.flatMap((finding) => [
    ...finding.steps.map((step) => h("tr", {},
      h("td", { class: "name" }, h("a", { href: personLink(finding.account) }, short(finding.account, 20)), " · run ", h("a", { href: timelineLink({ person: finding.account, boot: finding.boot }) }, short(finding.boot, 12))),
      cell("What", step.microseconds > 0 ? `${pause(step.microseconds / 1000)} forward: set, or the device slept` : `${pause(-step.microseconds / 1000)} back: it was set`),
      cell("From", place(step.first)), cell("Until", place(step.last)))),
    finding.ahead > 0 && h("tr", {},
      h("td", { class: "name" }, h("a", { href: personLink(finding.account) }, short(finding.account, 20)), " · run ", h("a", { href: timelineLink({ person: finding.account, boot: finding.boot }) }, short(finding.boot, 12))),
      cell("What", `${pause(finding.ahead / 1000)} ahead of the server when an event arrived`), cell("From", "—"), cell("Until", "—")),
  ])
  return h("section", { class: "clocks" }, h("h2", {}, "Clocks"),
    h("p", { class: "lead" }, "Each event has the time of the wall clock, which anybody can set, and of a clock that only runs on. Where both disagree with what a run began with, it is told here."),
    findings.length === 0 ? h("p", { class: "none" }, "No clock was set, and none was ahead of the server’s.")
      : h("table", { class: "partitions" }, head("Account and run", "What", "From", "Until"), h("tbody", {}, rows)))
}

/** Scopes that ended with their process: what was captured until then was recovered. */
export function interruptedSection({ scopes, after }) {
  if (scopes.length === 0) return null
  return h("section", { class: "interrupted" }, h("h2", {}, "Interrupted scopes"),
    h("p", { class: "lead" }, "Their processes ended before they were committed. What had been recorded until then was found and stored when the app ran again."),
    h("table", { class: "partitions" }, head("Activity", "Account", "From", "Until", "Events"),
      h("tbody", {}, scopes.map((scope) => h("tr", {},
        h("td", { class: "name" }, h("a", { href: timelineLink({ person: scope.user, boot: scope.boot, since: new Date(scope.first / 1000 - 60_000).toISOString(), until: new Date(scope.last / 1000 + 60_000).toISOString() }) }, scope.activity)),
        cell("Account", h("a", { href: personLink(scope.user) }, short(scope.user, 20))),
        cell("From", time(new Date(scope.first / 1000).toISOString())), cell("Until", time(new Date(scope.last / 1000).toISOString())), cell("Events", plural(scope.events, "event")))))),
    after && h("p", { class: "none" }, "There are more; the search lists them by their outcome."))
}
