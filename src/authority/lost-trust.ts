import { existsSync } from "node:fs"
import path from "node:path"
import { readSourceFile } from "../formats/source.ts"
import { levelOf } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"
import { isTrusted } from "./trusted-agents.ts"

/**
 * Files of settings, hooks and workflows in which a person trusted others than are there now, or which are gone: these may
 * have forbidden something. Whoever follows all that is there follows what has changed, and not what is gone.
 */
export function lostTrust(
  workspace: Workspace,
  standing: Standing,
  following: "all" | "kept",
): readonly string[] {
  const { root, record } = standing
  if (!record) return []
  const gone = goneGates(standing)
    .map((below) => path.join(root, below))
    .filter((file) => workspace.levels.includes(folderOf(file, root)))
  if (following === "all") return gone
  const before = Object.keys(record.files)
  const isFollowed = !before.some(isSettings) || isConfigurationTrusted(workspace, standing)
  return [
    ...new Set([
      // Also a nearer one, which takes the place of the one that was trusted.
      ...workspace.configuration.files.filter((file) => !isFollowed && isSettings(path.relative(root, file))),
      ...changedHooks(workspace, standing),
      ...gone,
    ]),
  ]
}

/** Why nothing starts, and what to do about it; empty where nothing was lost. */
export const lostText = (gone: readonly string[], changed: readonly string[], option: string): string =>
  [
    ...(gone.length > 0
      ? [
          `No agent starts, because what you trusted here is gone, and with it what it forbade: ${gone.join(", ")}. \`cadre trust\` shows what it was trusted for, and forgets it once you say so.`,
        ]
      : []),
    ...(changed.length > 0
      ? [
          `No agent starts, because what you trusted here has changed: ${changed.join(", ")}. \`cadre trust\` shows what is new and remembers your answer; ${option} follows it without that.`,
        ]
      : []),
    ...(gone.length + changed.length > 0
      ? ["`cadre trust --revoke` forgets all that you trusted here."]
      : []),
  ].join(" ")

/** Whatever is in such a file now: it had other hooks. One that agents name is refused to these. */
const changedHooks = ({ hookFiles }: Workspace, standing: Standing): readonly string[] =>
  hookFiles.flatMap((place) => {
    const { file, of, format, boundary, aside } = place
    const isKnown = path.relative(standing.root, file) in (standing.record?.files ?? {})
    if (of !== "project" || format === "workflow" || aside || !isKnown) return []
    const reading = readSourceFile(file, boundary)
    const hash = reading.type === "source" ? reading.source.hash : undefined
    return isTrusted(standing, file, hash) ? [] : [file]
  })

/** Files that gated when they were trusted, and are not there any more, by their path below the project. */
export const goneGates = ({ root, record }: Pick<Standing, "root" | "record">): readonly string[] =>
  Object.keys(record?.files ?? {}).filter(
    (below) => (isSettings(below) || levelOf(below) !== undefined) && !existsSync(path.join(root, below)),
  )

/** The folder from which such a file is looked for. */
function folderOf(file: string, root: string): string {
  const below = path.relative(root, file)
  return path.join(root, levelOf(below) ?? path.dirname(path.dirname(below)))
}

/** Of a path below the project. */
const isSettings = (below: string): boolean => /^(?!\.\.).*(?:^|[\\/])\.cadre[\\/]config\.yaml$/.test(below)
