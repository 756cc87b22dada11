import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Entry } from "../../registry/entry.ts"
import type { ReadFile } from "../../registry/file.ts"
import type { Workspace } from "../../registry/workspace.ts"
import { ownFiles } from "../own-files.ts"
import type { Finding } from "./examine.ts"

/** Every file that was looked at, with what became of it. */
export function examineFiles({ registry }: Workspace, base: string): readonly Finding[] {
  const entries = new Map(registry.entries().map((entry) => [entry.candidate.file, entry]))
  const errors = registry.errors()
  const files = ownFiles(registry)
  if (files.length === 0)
    return [
      {
        part: "Definitions",
        what: "agents",
        state: "none",
        level: "note",
        remedy: "`cadre new NAME` writes a first one.",
      },
    ]
  return files.map((file): Finding => {
    const { state, level, reason } = became(file, entries.get(file), errors[file.path], base)
    return {
      part: "Definitions",
      what: shownPath(file.path, base),
      state,
      level,
      ...(reason !== undefined && { reason }),
      ...(level === "broken" && { remedy: `\`cadre check ${shownPath(file.path, base)}\` shows where.` }),
    }
  })
}

function became(
  file: ReadFile,
  entry: Entry | undefined,
  error: string | undefined,
  base: string,
): Pick<Finding, "state" | "level" | "reason"> {
  if (!entry) {
    const reason = error ?? file.problems[0]?.message
    return error === undefined && !file.problems.some(({ severity }) => severity === "error")
      ? { state: "skipped", level: "note", ...(reason !== undefined && { reason }) }
      : { state: "broken", level: "broken", ...(reason !== undefined && { reason }) }
  }
  switch (entry.state.type) {
    case "broken":
      return { state: "broken", level: "broken", reason: error ?? "It has an error." }
    case "shadowed":
      return {
        state: "shadowed",
        level: "note",
        reason: `${shownPath(entry.state.by, base)} is used in its place.`,
      }
    case "active":
      if (!file.repaired) return { state: "loaded", level: "fine" }
      return {
        state: "repaired",
        level: "note",
        reason:
          file.problems.find(({ code }) => code.includes("repaired"))?.message ??
          "It is not valid as it is written.",
      }
  }
}
