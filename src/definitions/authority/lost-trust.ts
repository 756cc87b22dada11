import { existsSync } from "node:fs"
import path from "node:path"
import { readSourceFile } from "../formats/source.ts"
import { levelOf } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"
import { isTrusted } from "./trusted-agents.ts"

/** How what was lost is told. */
interface Telling {
  readonly following: "all" | "kept"
  /** The option that follows changed files without asking. */
  readonly option: string
  /** A file as it is told. */
  readonly shown: (file: string) => string
}

/**
 * Settings, hooks and workflows that a person trusted and that have changed or are gone may have forbidden something, so no
 * agent starts. Undefined where nothing was lost. Whoever follows all that is there follows what has changed, and not what
 * is gone.
 */
export function lostTrust(
  workspace: Workspace,
  standing: Standing,
  { following, option, shown }: Telling,
): string | undefined {
  const gone = goneFiles(workspace, standing)
  const changed =
    following === "all" ? [] : changedFiles(workspace, standing).filter((file) => !gone.includes(file))
  if (gone.length + changed.length === 0) return undefined
  const list = (files: readonly string[]) => files.map(shown).join(", ")
  return [
    ...(gone.length > 0
      ? [
          `No agent starts, because what you trusted here is gone, and with it what it forbade: ${list(gone)}. \`cadre trust\` shows what it was trusted for, and forgets it once you say so.`,
        ]
      : []),
    ...(changed.length > 0
      ? [
          `No agent starts, because what you trusted here has changed: ${list(changed)}. \`cadre trust\` shows what is new and remembers your answer; ${option} follows it without that.`,
        ]
      : []),
    "`cadre trust --revoke` forgets all that you trusted here.",
  ].join(" ")
}

const goneFiles = ({ levels }: Workspace, standing: Standing): readonly string[] =>
  goneGates(standing)
    .map((below) => path.join(standing.root, below))
    .filter((file) => levels.includes(folderOf(file, standing.root)))

function changedFiles(workspace: Workspace, standing: Standing): readonly string[] {
  const { root, record } = standing
  const isFollowed =
    !Object.keys(record?.files ?? {}).some(isSettings) || isConfigurationTrusted(workspace, standing)
  return [
    // Also a nearer one, which takes the place of the one that was trusted.
    ...workspace.configuration.files.filter((file) => !isFollowed && isSettings(path.relative(root, file))),
    ...changedHooks(workspace, standing),
  ]
}

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
