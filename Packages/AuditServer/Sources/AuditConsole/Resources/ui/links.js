// The addresses of the console's pages.

const withQuery = (page, values) => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values)) if (value !== null && value !== undefined && value !== "") query.set(key, value)
  const text = query.toString()
  return `#/${page}${text ? `?${text}` : ""}`
}

/** A search. */
export const searchLink = (filter) => withQuery("search", filter)

/** An event. */
export const eventLink = (partition, sequence) => `#/event/${encodeURIComponent(partition)}/${sequence}`

/** Everything about an object; of one inside another the class is not known. */
export const objectLink = (type, key) => `#/object/${encodeURIComponent(type ?? "")}/${encodeURIComponent(key)}`

/** Everything that a person did: an account, or a value of metadata. */
export const personLink = (person) => `#/person/${encodeURIComponent(person)}`

/** The timeline of a person, a device or a partition; `step` is the event that is open, as `PARTITION/SEQUENCE`. */
export const timelineLink = (filter) => withQuery("timeline", filter)

/** A record as somebody had been shown it; `at` is a time, or an event as `PARTITION/SEQUENCE`. */
export const reconstructLink = (values) => withQuery("reconstruct", values)

/** Opens a page, also the one that is open: whoever asks for the same again wants to know what is new. */
export function visit(address) {
  if (location.hash === address) dispatchEvent(new HashChangeEvent("hashchange"))
  else location.hash = address
}
