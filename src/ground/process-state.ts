import { readFileSync } from "node:fs"

/**
 * The state of a process. `same`: it is certainly the expected one. `gone`: the expected one certainly no
 * longer runs. `unknown`: a process has that number, and it may be another one. `start` is its start as
 * `startOf` gives it; empty where that is unknown.
 */
export function processState(pid: number, start = ""): "same" | "gone" | "unknown" {
  if (!Number.isSafeInteger(pid) || pid <= 0) return "gone"
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "gone"
  }
  const stat = start === "" ? undefined : statOf(pid)
  if (stat === undefined) return "unknown"
  // A zombie has ended; only its parent has not noticed yet.
  return stat.start === start && stat.state !== "Z" && stat.state !== "X" ? "same" : "gone"
}

/** For callers that know only a number. In another container the same number may be another process. */
export const isAlive = (pid: number): boolean => processState(pid) !== "gone"

/**
 * The start of a process, in ticks since boot: a later process with the same number has another. Empty if
 * it is unknown.
 */
export const readProcessStart = (pid: number): string => statOf(pid)?.start ?? ""

function statOf(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The second field is the program's name and may hold anything, so the rest is counted from its last
    // bracket.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return fields.length < 20 ? undefined : { state: fields[0]!, start: fields[19]! }
  } catch {
    return undefined
  }
}
