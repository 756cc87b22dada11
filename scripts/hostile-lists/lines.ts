import fs from "node:fs"
import path from "node:path"

interface HostileCause {
  /** The reason why a reader might miss the effect of the commands. */
  readonly cause: string
  readonly lines: readonly string[]
}

export interface HostileList {
  readonly use: "reads" | "writes"
  /** The tool whose rules are about it. */
  readonly tool: "Read" | "Edit"
  readonly target: string
  readonly causes: readonly HostileCause[]
}

/** Commands of which every one reads `secret.txt`, and such as change `keep.txt`. */
export const hostileLists: readonly HostileList[] = [
  { use: "reads", tool: "Read", target: "secret.txt", causes: causesIn("hostile-reads.txt") },
  { use: "writes", tool: "Edit", target: "keep.txt", causes: causesIn("hostile-writes.txt") },
]

function causesIn(file: string): readonly HostileCause[] {
  const causes: { cause: string; lines: string[] }[] = []
  const text = fs.readFileSync(path.join(import.meta.dirname, "../../test/shell", file), "utf8")
  for (const line of text.split("\n")) {
    if (line.startsWith("# ")) causes.push({ cause: line.slice(2), lines: [] })
    else if (line !== "") causes.at(-1)!.lines.push(line)
  }
  return causes
}
