// Reviews: what is due, what is new in it, and signing it off.

import * as api from "../ui/api.js"
import { foldedNotes } from "../ui/notes.js"
import { announce, count, eventLink, h, moment, plural, replace, time } from "../ui/elements.js"
import { spoken } from "../ui/words.js"

const states = { overdue: ["broken", "Overdue"], due: ["held", "Due"], waiting: ["proven", "Up to date"] }

export async function showReviews(content, signal) {
  document.title = "Reviews · Daybook"
  const mayReview = api.isReviewer()
  const reviews = await api.get("reviews", {}, signal)
  const again = () => showReviews(content, signal)
  replace(content, h("div", { class: "kept" },
    h("h1", {}, "Reviews"),
    h("p", { class: "lead" }, "A review is a view that somebody looks through again and again. Signing it off records the exact time of receipt that is covered and the log of sealed partitions as it was: what was signed cannot change unnoticed."),
    reviews.length === 0 && h("p", { class: "none" }, "No review is planned yet. Plan one from a ", h("a", { href: "#/views" }, "view"), "."),
    h("ul", { class: "cards" }, reviews.map((review) => card(review, mayReview, again, signal)))))
}

function card(review, mayReview, again, signal) {
  const [mark, word] = states[review.state]
  const query = new URLSearchParams(review.query)
  query.set("receivedSince", review.from)
  query.set("receivedUntil", review.through)
  // Where texts or objects are looked for, only a search tells what fits.
  const number = review.events === null || !review.isExact ? "see which events" : plural(review.events, "event")
  return h("li", { class: `card review ${review.state}` },
    h("header", {}, h("h2", {}, review.name), h("span", { class: `badge ${mark}` }, word)),
    h("p", {}, `${review.period[0].toUpperCase()}${review.period.slice(1)}, midnight of ${review.zone}`, review.who && ` · ${review.who}`, ` · ${spoken(review.query)}`),
    h("dl", { class: "range" },
      h("dt", {}, "Received"), h("dd", {}, time(review.from), " to ", time(review.through)),
      h("dt", {}, "Due"), h("dd", {}, time(review.due)),
      h("dt", {}, "New since then"), h("dd", {}, h("a", { href: `#/search?${query.toString().replaceAll("+", "%20")}` }, number), " · ", h("a", { href: "#/alerts" }, plural(review.alerts, "alert")))),
    review.last && h("p", { class: "none" }, `Signed off by ${review.last.author}, `, time(review.last.signed), `: ${outcome(review.last)} · `,
      h("a", { href: eventLink(review.last.event.partition, review.last.event.sequence) }, "proof")),
    h("div", { class: "actions" }, mayReview && [review.through <= review.from && h("span", { class: "none" }, "Nothing to sign off yet: what arrives can be signed off ten seconds later."),
      sign(review, again, signal)], history(review, signal),
      foldedNotes({ review: review.id }, signal), mayReview && end(review, again, signal)))
}

const outcome = (signature) => (signature.outcome === "finding" ? "finding" : "no finding")

function sign(review, again, signal) {
  const id = (field) => `${field}-${review.id}`
  const result = h("select", { id: id("outcome"), name: "outcome", required: true },
    h("option", { value: "" }, "Choose…"), h("option", { value: "noFinding" }, "No finding"), h("option", { value: "finding" }, "Finding"))
  const note = h("textarea", { id: id("note"), name: "note", rows: 3, maxlength: 4000 })
  const reason = h("input", { id: id("reason"), name: "reason", maxlength: 1000, autocomplete: "off" })
  const message = h("p", { class: "message", role: "alert" })
  const submit = async (event) => {
    event.preventDefault()
    message.textContent = ""
    const body = { outcome: result.value, through: review.through }
    if (note.value.trim()) body.note = note.value
    if (reason.value.trim()) body.reason = reason.value
    try {
      await api.send("POST", `reviews/${review.id}/signatures`, body, signal)
      await again()
      announce(`${review.name} is signed off.`)
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  return h("details", { class: "sign" }, h("summary", {}, "Sign off"),
    h("form", { submit, "aria-label": `Sign off ${review.name}` },
      h("p", { class: "help" }, `Covers what was received until ${moment(review.through).full}, as this page shows it.`),
      h("label", { for: id("outcome") }, "Outcome"), result,
      h("label", { for: id("note") }, "Note; of a finding, what was found"), note,
      h("label", { for: id("reason") }, "Reason, such as why it is late"), reason, message,
      h("button", { type: "submit" }, "Sign off")))
}

function history(review, signal) {
  const list = h("ol", { class: "notes", reversed: true })
  const toggle = async (event) => {
    if (!event.currentTarget.open || list.children.length > 0) return
    try {
      const all = await api.get(`reviews/${review.id}/signatures`, {}, signal)
      replace(list, all.map((signature) => h("li", {},
        h("p", {}, h("strong", {}, outcome(signature)), ` by ${signature.author}, `, time(signature.signed), " · ", h("a", { href: eventLink(signature.event.partition, signature.event.sequence) }, "proof")),
        h("p", { class: "none" }, "Received ", time(signature.from), " to ", time(signature.through), ` · ${signature.events === null ? "not counted" : plural(signature.events, "event")} · log of ${count(signature.logSize)}`),
        signature.note && h("p", { class: "words" }, signature.note))))
      if (all.length === 0) replace(list, h("li", {}, "It was not signed off yet."))
    } catch (error) {
      if (!signal.aborted) replace(list, h("li", {}, error.message))
    }
  }
  return h("details", { toggle }, h("summary", {}, "Signatures"), list)
}

function end(review, again, signal) {
  const message = h("p", { class: "message", role: "alert" })
  const click = async () => {
    try {
      await api.send("DELETE", `reviews/${review.id}`, null, signal)
      await again()
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  return h("details", {}, h("summary", {}, "End"),
    h("p", {}, "No more reviews of this view; its signatures stay. ", h("button", { type: "button", class: "quiet", click }, "End this review")), message)
}
