import { readFileSync } from "node:fs"

/**
 * Whether a process is there: `same` where it is certainly the one that was meant, `gone` where that one certainly is not
 * there any more, `unknown` where there is one of that number and nothing tells whether it is another. `start` is when
 * it began, as `startOf` gives it; empty where that is not known.
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
  // A zombie has ended; only its parent has not looked yet.
  return stat.start === start && stat.state !== "Z" && stat.state !== "X" ? "same" : "gone"
}

/** For whoever knows no more than a number. In another container every number may be one of another process. */
export const isAlive = (pid: number): boolean => processState(pid) !== "gone"

/** When a process started, in ticks since boot: one that has its number later has another. Empty where nobody tells. */
export const startOf = (pid: number): string => statOf(pid)?.start ?? ""

function statOf(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The second field is the program's name and may hold anything, so the rest is counted from its last bracket.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return fields.length < 20 ? undefined : { state: fields[0]!, start: fields[19]! }
  } catch {
    return undefined
  }
}
