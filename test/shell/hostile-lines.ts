import fs from "node:fs"
import path from "node:path"

/** The commands in a list of hostile ones, by why somebody might miss what they do. */
export function hostileLines(
  file: string,
): readonly { readonly cause: string; readonly lines: readonly string[] }[] {
  const causes: { cause: string; lines: string[] }[] = []
  for (const line of fs.readFileSync(path.join(import.meta.dirname, file), "utf8").split("\n")) {
    if (line.startsWith("# ")) causes.push({ cause: line.slice(2), lines: [] })
    else if (line !== "") causes.at(-1)!.lines.push(line)
  }
  return causes
}
