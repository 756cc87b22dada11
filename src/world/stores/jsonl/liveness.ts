import { setTimeout } from "node:timers/promises"
import { hasErrorCode } from "./disk.ts"
import { askOwner, type OwnerQuestion } from "./endpoint.ts"
import { type ClaimOwner, findOwnerState, identifySocketFolder, readThisProcess } from "./owner.ts"

export type Liveness =
  | { readonly type: "dead" }
  | { readonly type: "alive"; readonly detail: string }
  | { readonly type: "unknown"; readonly detail: string }

/**
 * Tells whether an owner is alive. No clock is used: neither a jump of the time nor a long pause makes a living owner
 * look dead.
 */
export async function checkLiveness(owner: ClaimOwner, question: OwnerQuestion = "holds"): Promise<Liveness> {
  const me = readThisProcess()
  const sameKernel = owner.boot !== "" && owner.boot === me.boot
  if (!sameKernel) {
    if (owner.machine === "" || owner.machine !== me.machine)
      return { type: "unknown", detail: "on another machine" }
    if (owner.boot !== "" && me.boot !== "") return { type: "dead" }
  }
  const state = findOwnerState(owner)
  if (state === "gone") return { type: "dead" }
  const answer = await askOwner(owner, question)
  switch (answer) {
    case "yes":
      return { type: "alive", detail: "" }
    case "no":
    case "refused":
      return { type: "dead" }
    case "silent":
      return { type: "alive", detail: "it does not answer and may be suspended" }
    case "missing":
      // If we are the owner and our socket is gone, it belonged to a store that was closed.
      if (state === "same" && owner.pid !== me.pid)
        return { type: "alive", detail: "its socket is gone but the process runs" }
      // In another container the folder is a different one, so a missing socket proves nothing.
      if (sameKernel && identifySocketFolder(owner.socket) !== owner.place)
        return { type: "unknown", detail: "in another container" }
      return { type: "dead" }
  }
}

/** Kills the owner, but only if it certainly is the process in the header, and if we have the right to. */
export async function killOwner(owner: ClaimOwner): Promise<void> {
  const me = readThisProcess()
  if (owner.boot === "" || owner.boot !== me.boot || owner.pid === me.pid) return
  if (findOwnerState(owner) !== "same") return
  try {
    process.kill(owner.pid, "SIGKILL")
  } catch (error) {
    if (hasErrorCode(error, "EPERM", "ESRCH")) return
    throw error
  }
  for (let waited = 0; waited < killWait && findOwnerState(owner) === "same"; waited += 10)
    await setTimeout(10)
}

const killWait = 2_000
