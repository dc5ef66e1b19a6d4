// What the server found: partitions that are not as they were sealed, odd clocks, interrupted scopes, and losses.

import { h } from "../ui/elements.js"
import { eventLink, personLink, timelineLink } from "../ui/links.js"
import { cell, none, tableHead } from "../ui/parts.js"
import { count, plural, short } from "../ui/texts.js"
import { instant, pause, time } from "../ui/times.js"

const maximumShown = 500

/**
 * Partitions that devices sealed, and of which something is gone or was changed since.
 *
 * @param {MissingPartition[]} missing
 */
export const missingSection = (missing) => h("section", { class: "missing" },
  h("h2", {}, "Closed, and not there as the log says"),
  h("table", { class: "partitions" },
    tableHead("Partition", "App", "Account", "Sealed", "Stored", "What is wrong"),
    h("tbody", {}, missing.slice(0, maximumShown).map((found) => h("tr", {},
      h("td", { class: "name" }, found.partition), cell("App", found.app), cell("Account", found.user),
      cell("Sealed", count(found.sealed)), cell("Stored", count(found.stored)),
      cell("What is wrong", h("span", { class: "badge broken" }, "Missing"), ` ${found.problems.join("; ")}`))))))

/**
 * Clocks that were set, stood still or were ahead.
 *
 * @param {ClockFinding[]} findings
 */
export function clockSection(findings) {
  return h("section", { class: "clocks" }, h("h2", {}, "Clocks"),
    h("p", { class: "lead" }, "Each event has the time of the wall clock, which anybody can set, and of a clock that only runs on. Where both disagree with what a run began with, it is told here."),
    findings.length === 0 ? none("No clock was set, and none was ahead of the server’s.")
      : h("table", { class: "partitions" }, tableHead("Account and run", "What", "From", "Until"), h("tbody", {}, findings.flatMap(clockRows))))
}

/** @param {ClockFinding} finding */
function clockRows({ account, boot, steps, ahead }) {
  const run = () => h("td", { class: "name" }, h("a", { href: personLink(account) }, short(account, 20)), " · run ",
    h("a", { href: timelineLink({ person: account, boot }) }, short(boot, 12)))
  /** @param {ClockPlace} place */
  const link = ({ partition, sequence, time: micros }) => h("a", { href: eventLink(partition, sequence) }, time(instant(micros)))
  return [
    ...steps.map((step) => h("tr", {}, run(),
      cell("What", step.microseconds > 0 ? `${pause(step.microseconds / 1000)} forward: set, or the device slept` : `${pause(-step.microseconds / 1000)} back: it was set`),
      cell("From", link(step.first)), cell("Until", link(step.last)))),
    ahead > 0 && h("tr", {}, run(),
      cell("What", `${pause(ahead / 1000)} ahead of the server when an event arrived`), cell("From", "—"), cell("Until", "—")),
  ]
}

/**
 * Scopes that ended with their process: what was captured until then was recovered.
 *
 * @param {Session} session
 */
export function interruptedSection({ scopes, after }) {
  if (scopes.length === 0) return null
  return h("section", { class: "interrupted" }, h("h2", {}, "Interrupted scopes"),
    h("p", { class: "lead" }, "Their processes ended before they were committed. What had been recorded until then was found and stored when the app ran again."),
    h("table", { class: "partitions" }, tableHead("Activity", "Account", "From", "Until", "Events"), h("tbody", {}, scopes.map(scopeRow))),
    after && none("There are more; the search lists them by their outcome."))
}

/** @param {SessionScope} scope */
function scopeRow({ user, boot, activity, first, last, events }) {
  const minute = 60_000_000
  return h("tr", {},
    h("td", { class: "name" }, h("a", { href: timelineLink({ person: user, boot, since: instant(first - minute), until: instant(last + minute) }) }, activity)),
    cell("Account", h("a", { href: personLink(user) }, short(user, 20))),
    cell("From", time(instant(first))), cell("Until", time(instant(last))), cell("Events", plural(events, "event")))
}

/** @type {Record<string, string>} */
const reasons = {
  quota: "the storage that the app allowed was full", tooLarge: "an event was too large", damaged: "the file was damaged",
  writeFailed: "the disk refused it", encodingFailed: "a payload could not be made", retention: "it was too old to be kept",
  interrupted: "the process ended before it was written", missing: "the file was gone, and not by the app",
  indexLost: "the device's index of its sealed partitions was gone: what is missing from before cannot be told",
}

/**
 * What devices lost, by their own ledgers.
 *
 * @param {{ partition: PartitionRecord, loss: Loss }[]} losses
 */
export const lossSection = (losses) => h("section", {}, h("h2", {}, "What devices lost"),
  h("table", { class: "partitions" },
    tableHead("Partition", "Lost", "Why", "Noticed"),
    h("tbody", {}, losses.slice(0, maximumShown).map(({ partition, loss }) => h("tr", {},
      h("td", { class: "name" }, partition.partition), cell("Lost", count(loss.count)),
      cell("Why", reasons[loss.reason] ?? loss.reason), cell("Noticed", time(instant(loss.noticed))))))))
