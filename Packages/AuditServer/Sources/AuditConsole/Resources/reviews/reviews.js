// Reviews: what is due, what is new in it, and signing it off.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { proofLink } from "../ui/lines.js"
import { foldedNotes } from "../ui/notes.js"
import { attempts } from "../ui/forms.js"
import { queryText, savedSearch } from "../ui/links.js"
import { none, pairs } from "../ui/parts.js"
import { count, plural } from "../ui/texts.js"
import { moment, time } from "../ui/times.js"
import { spoken } from "../ui/words.js"

/** @type {Record<Review["state"], [string, string]>} */
const states = { overdue: ["broken", "Overdue"], due: ["held", "Due"], waiting: ["proven", "Up to date"] }

/** @param {HTMLElement} content @param {AbortSignal} signal */
export async function showReviews(content, signal) {
  setTitle("Reviews")
  const reviews = await api.get("reviews", {}, signal)
  const again = () => showReviews(content, signal)
  replace(content, h("div", { class: "kept" },
    h("h1", {}, "Reviews"),
    h("p", { class: "lead" }, "A review is a view that somebody looks through again and again. Signing it off records the exact time of receipt that is covered and the log of sealed partitions as it was: what was signed cannot change unnoticed."),
    reviews.length === 0 && none("No review is planned yet. Plan one from a ", h("a", { href: "#/views" }, "view"), "."),
    h("ul", { class: "cards" }, reviews.map((review) => card(review, again, signal)))))
}

/** @param {Review} review @param {() => Promise<void>} again @param {AbortSignal} signal */
function card(review, again, signal) {
  const [mark, word] = states[review.state]
  const query = new URLSearchParams(review.query)
  query.set("receivedSince", review.from)
  query.set("receivedUntil", review.through)
  const { last } = review
  // Where texts or objects are looked for, only a search tells what fits.
  const number = review.events === null || !review.isExact ? "see which events" : plural(review.events, "event")
  return h("li", { class: `card review ${review.state}` },
    h("header", {}, h("h2", {}, review.name), h("span", { class: `badge ${mark}` }, word)),
    h("p", {}, `${review.period[0].toUpperCase()}${review.period.slice(1)}, midnight of ${review.zone}`, review.who && ` · ${review.who}`, ` · ${spoken(review.query)}`),
    pairs({ class: "range" }, [
      ["Received", [time(review.from), " to ", time(review.through)]],
      ["Due", time(review.due)],
      ["New since then", [h("a", { href: savedSearch(queryText(query)) }, number), " · ", h("a", { href: "#/alerts" }, plural(review.alerts, "alert"))]],
    ]),
    last && none(`Signed off by ${last.author}, `, time(last.signed), `: ${outcome(last)} · `, proofLink(last.event)),
    h("div", { class: "actions" }, api.isReviewer() && [review.through <= review.from && h("span", { class: "none" }, "Nothing to sign off yet: what arrives can be signed off ten seconds later."),
      sign(review, again, signal)], history(review, signal),
      foldedNotes({ review: review.id }, signal), api.isReviewer() && end(review, again, signal)))
}

/** @param {Signature} signature */
const outcome = (signature) => (signature.outcome === "finding" ? "finding" : "no finding")

/** @param {Review} review @param {() => Promise<void>} again @param {AbortSignal} signal */
function sign(review, again, signal) {
  /** @param {string} field */
  const id = (field) => `${field}-${review.id}`
  const result = h("select", { id: id("outcome"), name: "outcome", required: true },
    h("option", { value: "" }, "Choose…"), h("option", { value: "noFinding" }, "No finding"), h("option", { value: "finding" }, "Finding"))
  const note = h("textarea", { id: id("note"), name: "note", rows: 3, maxlength: 4000 })
  const reason = h("input", { id: id("reason"), name: "reason", maxlength: 1000, autocomplete: "off" })
  const { message, attempt } = attempts(signal)
  const submit = attempt(async () => {
    await api.send("POST", `reviews/${review.id}/signatures`, {
      outcome: result.value, through: review.through,
      ...(note.value.trim() && { note: note.value }), ...(reason.value.trim() && { reason: reason.value }),
    }, signal)
    await again()
    announce(`${review.name} is signed off.`)
  })
  return h("details", { class: "sign" }, h("summary", {}, "Sign off"),
    h("form", { submit, "aria-label": `Sign off ${review.name}` },
      h("p", { class: "help" }, `Covers what was received until ${moment(review.through).full}, as this page shows it.`),
      h("label", { for: id("outcome") }, "Outcome"), result,
      h("label", { for: id("note") }, "Note; of a finding, what was found"), note,
      h("label", { for: id("reason") }, "Reason, such as why it is late"), reason, message,
      h("button", { type: "submit" }, "Sign off")))
}

/** @param {Review} review @param {AbortSignal} signal */
function history(review, signal) {
  const list = h("ol", { class: "notes", reversed: true })
  const place = h("details", {
    toggle: async () => {
      if (!place.open || list.children.length > 0) return
      try {
        const all = await api.signatures(review.id, signal)
        replace(list, all.length === 0 ? h("li", {}, "It was not signed off yet.") : all.map(signed))
      } catch (error) {
        if (!signal.aborted) replace(list, h("li", {}, error.message))
      }
    },
  }, h("summary", {}, "Signatures"), list)
  return place
}

/** @param {Signature} signature */
const signed = (signature) => h("li", {},
  h("p", {}, h("strong", {}, outcome(signature)), ` by ${signature.author}, `, time(signature.signed), " · ", proofLink(signature.event)),
  none("Received ", time(signature.from), " to ", time(signature.through), ` · ${signature.events === null ? "not counted" : plural(signature.events, "event")} · log of ${count(signature.logSize)}`),
  signature.note && h("p", { class: "words" }, signature.note))

/** @param {Review} review @param {() => Promise<void>} again @param {AbortSignal} signal */
function end(review, again, signal) {
  const { message, attempt } = attempts(signal)
  const click = attempt(async () => {
    await api.send("DELETE", `reviews/${review.id}`, null, signal)
    await again()
  })
  return h("details", {}, h("summary", {}, "End"),
    h("p", {}, "No more reviews of this view; its signatures stay. ", h("button", { type: "button", class: "quiet", click }, "End this review")), message)
}
