// Numbers and ids, as people read them.

/**
 * Writes a number with separators.
 *
 * @param {number} number
 */
export const count = (number) => new Intl.NumberFormat().format(number)

/**
 * Chooses between the singular and the plural.
 *
 * @param {number} number
 * @param {string} one
 */
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`

/**
 * Cuts what is too long, such as an id.
 *
 * @param {Maybe<string>} text
 */
export const short = (text, length = 12) => (text && text.length > length + 3 ? `${text.slice(0, length)}…` : (text ?? ""))

/**
 * Adds numbers up.
 *
 * @param {number[]} numbers
 */
export const sum = (numbers) => numbers.reduce((all, number) => all + number, 0)
