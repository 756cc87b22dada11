import { existsSync } from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { readDocument } from "../formats/document/document.ts"
import { diagnose, type Problem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { atLevels, type Levels } from "../rules/levels.ts"

/** Settings of Claude Code around a project that forbid something: they are not followed, and that is told. */
export function foreignSettings(
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
      const isProjects = root !== undefined && isBelow(root, file)
      const reading = readSourceFile(file, isProjects ? root : undefined)
      if (reading.type === "refused")
        return diagnose(file, "", () => undefined, atLevels([unread(reading.problem.message)], rules))
      const { text } = reading.source
      const { values, locate } = readDocument(text, "json", new Set())
      const problems = isJson(text) ? problemsIn(values ?? {}) : [unread("It is no valid JSON.")]
      return diagnose(file, text, locate, atLevels(problems, rules))
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

const permissionsInstead = "Write them below `permissions` of .cadre/config.yaml, in the same words"
const hooksInstead = "They can stand below `hooks` of .cadre/config.yaml as they are"

const problem = (key: string, instead: string): Problem => ({
  code: "settings-foreign",
  severity: "warning",
  message: `\`${key}\` of Claude Code's settings are not followed here, so what they forbid is not forbidden. ${instead}.`,
  at: { type: "key", path: [key] },
})

/** What cannot be read may forbid something, which is not followed here either. */
const unread = (why: string): Problem => ({
  code: "settings-foreign",
  severity: "warning",
  message: `These settings of Claude Code cannot be read, so nobody can tell what they forbid, and nothing of it is forbidden here. ${why}`,
  at: { type: "start" },
})

function isJson(text: string): boolean {
  try {
    return isMap(JSON.parse(text) as Json)
  } catch {
    return false
  }
}
