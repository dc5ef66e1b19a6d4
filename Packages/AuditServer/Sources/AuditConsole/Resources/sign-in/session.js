// The session: signing in and out, in all windows at once, and what happens when it ends while somebody works.

import * as api from "../ui/api.js"
import { announce, byId, h, replace } from "../ui/elements.js"
import { setBusy } from "../ui/forms.js"
import { problem } from "../ui/parts.js"
import { signInForm } from "./sign-in.js"

const gate = byId("gate")
const content = byId("page")
const bar = byId("bar")
const leaveButton = byId("leave")
/** Tells the other windows of this browser, which share the cookie. */
const windows = new BroadcastChannel("daybook-session")

/**
 * Whether whoever has signed in may do what somebody before might.
 *
 * @param {SignedIn} before
 */
const hasRights = ({ role, apps }) => api.session?.role === role && String(api.session.apps) === String(apps)

/**
 * Looks after the session from now on.
 *
 * `begin` shows the page that the address names to whoever has signed in, and `leave` ends what a page waits for.
 *
 * @param {{ begin: () => void, leave: () => void }} console
 */
export async function watchSession({ begin, leave }) {
  /** @type {{ promise: Promise<boolean>, answer: (isSame: boolean) => void, back: () => void } | null} */
  let whenBack = null

  /**
   * Shows the form in place of the page; `onSuccess` is called when somebody has signed in.
   *
   * @param {string | null} note
   * @param {() => void} onSuccess
   */
  function ask(note, onSuccess) {
    bar.hidden = true
    content.hidden = true
    gate.hidden = false
    replace(gate, signInForm(note, onSuccess))
    gate.querySelector("input")?.focus()
  }

  /** Shows the page again, or another one to somebody else. */
  function open() {
    replace(gate)
    gate.hidden = true
    bar.hidden = false
    content.hidden = false
  }

  function enter() {
    whenBack = null
    open()
    begin()
    content.focus({ preventScroll: true })
    windows.postMessage("in")
  }

  /**
   * Takes everything of a session from the window, also its address, which may name somebody.
   *
   * @param {string} note
   */
  function forget(note) {
    leave()
    whenBack?.answer(false)
    whenBack = null
    api.forgetSession()
    replace(content)
    for (const id of ["name", "role"]) byId(id).textContent = ""
    replace(byId("menu"))
    history.replaceState(null, "", location.pathname)
    ask(note, enter)
    announce(note)
  }

  /** Asks whoever works for a token again; what is half written stays where it is, unseen, until then. */
  function sessionIsOver() {
    if (whenBack) return whenBack.promise
    if (api.session === null) return Promise.resolve(false)
    const [before, place, focused] = [api.session, location.hash, document.activeElement]
    // Masked values were shown to one person for one reason.
    const isKept = !content.querySelector("[data-unmasked]")
    if (!isKept) {
      leave()
      replace(content)
    }
    // A dialog that nobody sees would still keep everything else from being used.
    /** @type {HTMLDialogElement[]} */
    const dialogs = [...document.querySelectorAll("dialog")].filter(({ open }) => open)
    for (const dialog of dialogs) {
      dialog.dataset.asleep = ""
      dialog.close()
    }
    /** @type {(isSame: boolean) => void} */
    let answer = () => {}
    /** @type {Promise<boolean>} */
    const promise = new Promise((resolve) => { answer = resolve })
    const back = () => {
      whenBack = null
      const isSame = isKept && hasRights(before) && location.hash === place
      if (isSame) {
        open()
        for (const dialog of dialogs) {
          delete dialog.dataset.asleep
          dialog.showModal()
        }
        if (focused instanceof HTMLElement && focused.isConnected) focused.focus()
        announce("You are signed in again.")
        windows.postMessage("in")
      } else {
        enter()
      }
      answer(isSame)
    }
    whenBack = { promise, answer, back }
    ask("Your session is over: the time of your token is up, or it was withdrawn. Sign in again to go on where you were. What you had begun to write is still there.", back)
    return promise
  }

  async function look() {
    try {
      if (await api.isSignedIn()) {
        open()
        begin()
      } else {
        ask(null, enter)
      }
    } catch (error) {
      replace(gate, problem("This did not work", error.message, h("button", { type: "button", click: look }, "Try again")))
    }
  }

  api.onSessionEnd(sessionIsOver)
  leaveButton.addEventListener("click", async () => {
    if (!setBusy(leaveButton, true)) return
    try {
      await api.signOut()
      windows.postMessage("out")
      forget("You are signed out, in all windows of this browser.")
    } catch (error) {
      // The cookie is the browser's, and only the server can take it back.
      announce(error.message)
      leaveButton.textContent = "Sign out (try again: no answer)"
      return
    } finally {
      setBusy(leaveButton, false)
    }
    leaveButton.textContent = "Sign out"
  })
  windows.addEventListener("message", async ({ data }) => {
    if (data === "out" && (!bar.hidden || whenBack)) return forget("You were signed out in another window.")
    if (data !== "in") return
    // Another window has taken a token that is no less this window's; nobody goes on with the rights of somebody else.
    const before = api.session
    if (!(await api.isSignedIn().catch(() => false))) return
    if (whenBack) return whenBack.back()
    if (before && before.token === api.session?.token && hasRights(before)) return
    leave()
    open()
    begin()
  })
  // A page that the browser had put aside shows nothing before somebody is known to be signed in.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return
    leave()
    replace(content)
    content.hidden = true
    bar.hidden = true
    look()
  })
  await look()
}
