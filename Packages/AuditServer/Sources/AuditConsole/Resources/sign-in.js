// Asks for an auditor's token. It is sent once, and kept in a cookie that no script can read.

import * as api from "./api.js"
import { h, replace } from "./ui.js"

export function showSignIn(content, note, onSuccess) {
  document.title = "Sign in · Daybook"
  const token = h("input", {
    id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "token-help",
  })
  const message = h("p", { class: "message", role: "alert" }, note)
  const button = h("button", { type: "submit" }, "Sign in")
  const submit = async (event) => {
    event.preventDefault()
    button.disabled = true
    message.textContent = ""
    try {
      await api.signIn(token.value.trim())
      token.value = ""
      if (await api.isSignedIn()) onSuccess()
      else message.textContent = "The browser did not keep the session. Allow this server to set a cookie."
    } catch (error) {
      message.textContent = error.status === 401 || error.status === 403
        ? "This token is not accepted: it is not an auditor's, it is damaged, or its time is over."
        : error.message
      token.focus()
    } finally {
      button.disabled = false
    }
  }
  replace(content, h("form", { class: "sign-in", submit },
    h("h1", {}, "Daybook"),
    h("p", {}, "What users saw and did, with proof."),
    h("label", { for: "token" }, "Auditor’s token"),
    token,
    h("p", { id: "token-help", class: "help" }, "The administrator of the server has it: the file auditor.token in its data folder. ",
      "Everything that you search and look at is recorded."),
    message,
    button))
  token.focus()
}
