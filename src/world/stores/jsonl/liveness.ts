import { setTimeout } from "node:timers/promises"
import { hasCode } from "./disk.ts"
import { ask, type Question } from "./endpoint.ts"
import { type Owner, ownerState, placeOf, thisProcess } from "./owner.ts"

export type Liveness =
  | { readonly type: "dead" }
  | { readonly type: "alive"; readonly detail: string }
  | { readonly type: "unknown"; readonly detail: string }

/** Uses no clock: nothing expires, so neither a jump of the time nor a long pause makes a living owner look dead. */
export async function livenessOf(owner: Owner, question: Question = "holds"): Promise<Liveness> {
  const me = thisProcess()
  const sameKernel = owner.boot !== "" && owner.boot === me.boot
  if (!sameKernel) {
    if (owner.machine === "" || owner.machine !== me.machine)
      return { type: "unknown", detail: "on another machine" }
    if (owner.boot !== "" && me.boot !== "") return { type: "dead" }
  }
  const there = ownerState(owner)
  if (there === "gone") return { type: "dead" }
  const answer = await ask(owner, question)
  switch (answer) {
    case "yes":
      return { type: "alive", detail: "" }
    case "no":
    case "refused":
      return { type: "dead" }
    case "silent":
      return { type: "alive", detail: "it does not answer and may be suspended" }
    case "missing":
      // A socket of our own that is gone belonged to a store that was closed.
      if (there === "same" && owner.pid !== me.pid)
        return { type: "alive", detail: "its socket is gone but the process runs" }
      // In another container the folder is another one, and a missing socket says nothing.
      if (sameKernel && placeOf(owner.socket) !== owner.place)
        return { type: "unknown", detail: "in another container" }
      return { type: "dead" }
  }
}

/** Kills the owner if it certainly is the process that the header names, and if we may. */
export async function killOwner(owner: Owner): Promise<void> {
  const me = thisProcess()
  if (owner.boot === "" || owner.boot !== me.boot || owner.pid === me.pid) return
  if (ownerState(owner) !== "same") return
  try {
    process.kill(owner.pid, "SIGKILL")
  } catch (error) {
    if (hasCode(error, "EPERM", "ESRCH")) return
    throw error
  }
  for (let waited = 0; waited < killWait && ownerState(owner) === "same"; waited += 10) await setTimeout(10)
}

const killWait = 2_000
