// The pages of the console: what each is called, who may open it, and what shows it.

import { showAlerts } from "./alerts/alerts.js"
import { showCompleteness } from "./completeness/completeness.js"
import { showEvent } from "./event/event.js"
import { showExports } from "./exports/exports.js"
import { showKeeping } from "./keeping/keeping.js"
import { showReconstruction } from "./reconstruct/reconstruct.js"
import { showReport } from "./report/report.js"
import { showReviews } from "./reviews/reviews.js"
import { showSearch } from "./search/search.js"
import { showObject, showPerson } from "./subject/subject.js"
import { showTimeline } from "./timeline/timeline.js"
import { showViews } from "./views/views.js"

/**
 * Why somebody may not read events; null when nothing is against it.
 *
 * @param {SignedIn} session
 */
const reading = ({ role }) => (role === "administrator"
  ? "An administrator keeps events and reads none. Sign in with the token of an auditor or a reviewer to open this page." : null)

/**
 * Why somebody may not see what concerns all apps; null when nothing is against it.
 *
 * @param {SignedIn} session
 */
const readingAll = (session) => reading(session) ?? keeping(session)

/**
 * Why somebody may not see what is kept; null when nothing is against it.
 *
 * @param {SignedIn} session
 */
const keeping = ({ apps }) => (apps
  ? `This page is about all apps, and your token is for ${apps.join(", ")} alone. Sign in with the token of an auditor of all apps to open it.` : null)

/**
 * All pages by their names in addresses; those with a label are in the menu, in this order.
 *
 * @type {Record<string, Page>}
 */
const pages = {
  search: { label: "Search", refusal: reading, show: (place, { query, signal }) => showSearch(place, query, signal) },
  timeline: { label: "Timeline", refusal: reading, show: (place, { query, signal }) => showTimeline(place, query, signal) },
  reconstruct: { label: "Reconstruct", refusal: reading, show: (place, { query, signal }) => showReconstruction(place, query, signal) },
  completeness: { label: "Completeness", refusal: reading, show: (place, { signal }) => showCompleteness(place, signal) },
  views: { label: "Views", refusal: reading, show: (place, { signal }) => showViews(place, signal) },
  reviews: { label: "Reviews", refusal: reading, show: (place, { signal }) => showReviews(place, signal) },
  alerts: { label: "Alerts", refusal: reading, show: (place, { query, signal }) => showAlerts(place, query, signal) },
  exports: { label: "Exports", refusal: reading, show: (place, { signal }) => showExports(place, signal) },
  keeping: { label: "Keeping", refusal: keeping, show: (place, { signal }) => showKeeping(place, signal) },
  trail: { label: "Auditors", refusal: readingAll, show: (place, { query, signal }) => showSearch(place, query, signal, { app: "daybook/auditors" }) },
  event: { refusal: reading, show: (place, { rest, signal }) => showEvent(place, rest[0], Number(rest[1]), signal) },
  object: { refusal: reading, show: (place, { rest, signal }) => showObject(place, rest[0], rest[1], signal) },
  report: { refusal: reading, show: (place, { rest, query, signal }) => showReport(place, rest[0], rest[1], query, signal) },
  person: { refusal: reading, show: (place, { rest, signal }) => showPerson(place, rest[0], signal) },
}

/**
 * The page of a name; undefined when there is none.
 *
 * @param {string} name
 */
export const page = (name) => (Object.hasOwn(pages, name) ? pages[name] : undefined)

/**
 * What the menu of somebody has.
 *
 * @param {SignedIn} session
 */
export const menu = (session) => Object.entries(pages)
  .flatMap(([name, { label, refusal }]) => (label && refusal(session) === null ? [{ name, label }] : []))

/**
 * The name of the page that somebody begins with.
 *
 * @param {SignedIn | null} session
 */
export const home = (session) => (session && menu(session)[0]?.name) ?? "search"
