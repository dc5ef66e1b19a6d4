// What the part of an address behind `#` names.

/** Splits the part behind `#` into the page, what follows it, both together, and its query. */
export function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2)
  const [name, ...parts] = path.split("/")
  return { path, name, parts: parts.map(decoded), query: new URLSearchParams(query ?? "") }
}

/**
 * Decodes a part of an address; one that is malformed stays as it is, and the server says that it knows none such.
 *
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
