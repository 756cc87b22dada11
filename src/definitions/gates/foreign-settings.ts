import { existsSync } from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { readDocument } from "../formats/document/document.ts"
import { diagnose, type Problem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { applyLevels, type Levels } from "../rules/levels.ts"

/** Finds Claude Code settings that forbid something. cadre does not apply them, so a warning says so. */
export function findForeignSettings(
  folders: { readonly levels: readonly string[]; readonly home: string },
  rules: Levels,
): readonly Diagnostic[] {
  const root = folders.levels.at(-1)
  return [...new Set([...folders.levels, folders.home])]
    .flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((name) => path.join(folder, ".claude", name)),
    )
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const isInProject = root !== undefined && isBelow(root, file)
      const reading = readSourceFile(file, isInProject ? root : undefined)
      if (reading.type === "refused")
        return diagnose(file, "", () => undefined, applyLevels([unread(reading.problem.message)], rules))
      const { text } = reading.source
      const { values, locate } = readDocument(text, "json", new Set())
      const problems = isJson(text) ? problemsIn(values ?? {}) : [unread("Invalid JSON.")]
      return diagnose(file, text, locate, applyLevels(problems, rules))
    })
}

function problemsIn({ permissions, hooks }: { readonly [key: string]: Json }): readonly Problem[] {
  const { deny, ask } = mapOf(permissions ?? null)
  const isSaid = (list: Json | undefined) => Array.isArray(list) && list.length > 0
  return [
    ...(isSaid(deny) || isSaid(ask) ? [problem("permissions", permissionsInstead)] : []),
    ...(isMap(hooks) && Object.keys(hooks).length > 0 ? [problem("hooks", hooksInstead)] : []),
  ]
}

const permissionsInstead = "Copy them to `permissions` in .cadre/config.yaml, which uses the same words"
const hooksInstead = "Copy them unchanged to `hooks` in .cadre/config.yaml"

const problem = (key: string, instead: string): Problem => ({
  code: "settings-foreign",
  severity: "warning",
  message: `\`${key}\` of Claude Code's settings do not apply here, so everything that they forbid is allowed. ${instead}.`,
  at: { type: "key", path: [key] },
})

/** Unreadable settings may forbid something that is allowed here. */
const unread = (why: string): Problem => ({
  code: "settings-foreign",
  severity: "warning",
  message: `These settings of Claude Code cannot be read. They may forbid something, and they do not apply here. ${why}`,
  at: { type: "start" },
})

function isJson(text: string): boolean {
  try {
    return isMap(JSON.parse(text) as Json)
  } catch {
    return false
  }
}
