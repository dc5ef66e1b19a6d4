// What the server's check of what is stored says: when all of it was compared with the log the last time, and what is wrong.

import { h } from "../ui/elements.js"
import { none, notice } from "../ui/parts.js"
import { plural } from "../ui/texts.js"
import { instant, time } from "../ui/times.js"

const maximumShown = 500

/** @param {StoreCheck} check */
export function checkSection(check) {
  const { findings, remarks } = check
  return h("section", { class: "checked" }, h("h2", {}, "What is stored, against the log"),
    remarks.map((remark) => notice(remark)),
    findings.length > 0 && h("ul", { class: "findings" }, findings.slice(0, maximumShown).map(findingItem)),
    (check.isCut || findings.length > maximumShown) && none("More is wrong than is shown here."),
    h("p", { class: "lead" }, lastPass(check)))
}

/**
 * A finding: its sentences, which name the partition, and since when it is known.
 *
 * @param {CheckFinding} finding
 */
const findingItem = ({ problems, found }) => h("li", {},
  h("span", { class: "badge broken" }, "Wrong"), ` ${problems.join(" ")} `, h("span", { class: "none" }, "Found ", time(instant(found)), "."))

/** @param {StoreCheck} check @returns {Child[]} */
function lastPass({ isOn, last, current, findings }) {
  if (!isOn) return ["The configuration turns the verification of events off: partitions are counted, and not read."]
  if (last?.ended) {
    const { sealedPartitions, partitions, events } = last
    const all = typeof sealedPartitions !== "number" || typeof partitions !== "number" || typeof events !== "number" ? "Everything that is stored was"
      : `${plural(sealedPartitions, "closed partition")} of ${partitions}, with all of ${plural(events, "event")}, were`
    return [`${all} compared with the log and with what devices signed, the last time at `, time(instant(last.ended)),
      findings.length === 0 ? ": nothing was wrong. It begins anew at once." : ". What was put right is gone from here when it is compared again."]
  }
  if (current) return ["Everything that is stored is being compared with the log for the first time since ", time(instant(current.began)), "."]
  return ["Nothing that is stored was compared with the log yet."]
}
