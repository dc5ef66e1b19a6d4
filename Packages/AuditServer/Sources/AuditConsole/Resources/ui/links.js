// The addresses of the console's pages.

/**
 * Writes a query; a plus sign stands for a space in forms alone.
 *
 * @param {URLSearchParams | Record<string, string> | string[][]} values
 */
export const queryText = (values) => new URLSearchParams(values).toString().replaceAll("+", "%20")

/**
 * A page with a query; values that are empty are left out.
 *
 * @param {string} page
 * @param {Query} values
 */
export function pageLink(page, values) {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values)) if (value !== null && value !== undefined && value !== "") query.set(key, String(value))
  const text = queryText(query)
  return `#/${page}${text ? `?${text}` : ""}`
}

/**
 * A search.
 *
 * @param {Query} filter
 */
export const searchLink = (filter) => pageLink("search", filter)

/**
 * The search of a view or a review, whose query is kept as it was.
 *
 * @param {string} query
 */
export const savedSearch = (query) => `#/search${query ? `?${query}` : ""}`

/**
 * An event.
 *
 * @param {string} partition
 * @param {number} sequence
 */
export const eventLink = (partition, sequence) => `#/event/${encodeURIComponent(partition)}/${sequence}`

/**
 * Everything about an object; of one inside another the class is not known.
 *
 * @param {Maybe<string>} type
 * @param {string} key
 */
export const objectLink = (type, key) => `#/object/${encodeURIComponent(type ?? "")}/${encodeURIComponent(key)}`

/**
 * Who looked at an object, as a report.
 *
 * @param {string} type
 * @param {string} key
 * @param {Query} [values]
 */
export const reportLink = (type, key, values = {}) => pageLink(`report/${encodeURIComponent(type)}/${encodeURIComponent(key)}`, values)

/**
 * Everything that a person did: an account, or a value of metadata.
 *
 * @param {string} person
 */
export const personLink = (person) => `#/person/${encodeURIComponent(person)}`

/**
 * The timeline of a person, a device or a partition; `step` is the event that is open, as `PARTITION/SEQUENCE`.
 *
 * @param {Query} filter
 */
export const timelineLink = (filter) => pageLink("timeline", filter)

/**
 * A record as somebody had been shown it; `at` is a time, or an event as `PARTITION/SEQUENCE`.
 *
 * @param {Query} values
 */
export const reconstructLink = (values) => pageLink("reconstruct", values)

/**
 * Opens a page, also the one that is open: whoever asks for the same again wants to know what is new.
 *
 * @param {string} address
 */
export function visit(address) {
  if (location.hash === address) dispatchEvent(new HashChangeEvent("hashchange"))
  else location.hash = address
}
