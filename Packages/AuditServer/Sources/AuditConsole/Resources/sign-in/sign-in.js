// Asks for a token. It is sent once, and kept in a cookie that no script can read.

import * as api from "../ui/api.js"
import { h, setTitle } from "../ui/elements.js"

/**
 * The form; `onSuccess` is called when somebody has signed in.
 *
 * @param {string | null} note
 * @param {() => void} onSuccess
 */
export function signInForm(note, onSuccess) {
  setTitle("Sign in")
  const token = h("input", {
    id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "token-help",
  })
  const message = h("p", { class: "message", role: "alert" })
  const button = h("button", { type: "submit" }, "Sign in")
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault()
    button.disabled = true
    message.textContent = ""
    try {
      await api.signIn(token.value.trim())
      if (await api.isSignedIn()) {
        token.value = ""
        onSuccess()
      } else {
        message.textContent = "The browser did not keep the session. Allow this server to set a cookie, then try again."
      }
    } catch (error) {
      message.textContent = error.status === 401 || error.status === 403
        ? "This token is not accepted: it is damaged, its time is over, it was withdrawn, or it is of somebody who only uploads."
        : error.message
      token.focus()
    } finally {
      button.disabled = false
    }
  }
  return h("form", { class: "sign-in", submit },
    h("h1", {}, "Daybook"),
    h("p", {}, "What users saw and did, with proof."),
    note && h("p", { class: "notice", role: "status" }, note),
    h("label", { for: "token" }, "Your token"),
    token,
    h("p", { id: "token-help", class: "help" }, "The administrator of the server gave it to you; it is a long line of letters and digits. ",
      "The server’s own are the files auditor.token and administrator.token in its data folder. Everything that you search and look at is recorded."),
    message,
    button)
}
