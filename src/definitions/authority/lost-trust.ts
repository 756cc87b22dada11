import { existsSync } from "node:fs"
import path from "node:path"
import { readSourceFile } from "../formats/source.ts"
import { findHookLevel } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isTrusted } from "./trusted-agents.ts"
import { isConfigurationTrusted, type WorkspaceTrust } from "./workspace-trust.ts"

/** The way lost trust is reported. */
interface Telling {
  readonly following: "all" | "kept"
  /** The option that follows changed files without asking. */
  readonly option: string
  /** The path of a file as it is shown. */
  readonly displayPath: (file: string) => string
}

/**
 * Explains why no agent starts if trusted settings, hooks or workflows have changed or are gone: they may have forbidden
 * something. Undefined if nothing was lost. With `following: "all"`, changed files are accepted, but not missing ones.
 */
export function explainLostTrust(
  workspace: Workspace,
  standing: WorkspaceTrust,
  { following, option, displayPath }: Telling,
): string | undefined {
  const gone = goneFiles(workspace, standing)
  const changed =
    following === "all" ? [] : changedFiles(workspace, standing).filter((file) => !gone.includes(file))
  if (gone.length + changed.length === 0) return undefined
  const list = (files: readonly string[]) => files.map(displayPath).join(", ")
  return [
    ...(gone.length > 0
      ? [
          `No agent starts, because files that you trusted here are gone, and with them their rules: ${list(gone)}. Run \`cadre trust\` to see what they were trusted for, and to forget them.`,
        ]
      : []),
    ...(changed.length > 0
      ? [
          `No agent starts, because files that you trusted here have changed: ${list(changed)}. Run \`cadre trust\` to review the changes; ${option} accepts them without a review.`,
        ]
      : []),
    "`cadre trust --revoke` forgets everything that you trusted here.",
  ].join(" ")
}

const goneFiles = ({ levels }: Workspace, standing: WorkspaceTrust): readonly string[] =>
  findMissingGates(standing)
    .map((below) => path.join(standing.root, below))
    .filter((file) => levels.includes(folderOf(file, standing.root)))

function changedFiles(workspace: Workspace, standing: WorkspaceTrust): readonly string[] {
  const { root, record } = standing
  const isFollowed =
    !Object.keys(record?.files ?? {}).some(isSettings) || isConfigurationTrusted(workspace, standing)
  return [
    // A nearer file counts too, because it replaces the trusted one.
    ...workspace.configuration.files.filter((file) => !isFollowed && isSettings(path.relative(root, file))),
    ...changedHooks(workspace, standing),
  ]
}

/** Hook files with other content than was trusted. Workflows are skipped: agents that name one are refused. */
const changedHooks = ({ hookFiles }: Workspace, standing: WorkspaceTrust): readonly string[] =>
  hookFiles.flatMap((place) => {
    const { file, of, format, boundary, aside } = place
    const isRecorded = path.relative(standing.root, file) in (standing.record?.files ?? {})
    if (of !== "project" || format === "workflow" || aside || !isRecorded) return []
    const reading = readSourceFile(file, boundary)
    const hash = reading.type === "source" ? reading.source.hash : undefined
    return isTrusted(standing, file, hash) ? [] : [file]
  })

/** Trusted settings, hook and workflow files that no longer exist, by their path below the project. */
export const findMissingGates = ({
  root,
  record,
}: Pick<WorkspaceTrust, "root" | "record">): readonly string[] =>
  Object.keys(record?.files ?? {}).filter(
    (below) =>
      (isSettings(below) || findHookLevel(below) !== undefined) && !existsSync(path.join(root, below)),
  )

/** The project folder that a settings, hook or workflow file belongs to. */
function folderOf(file: string, root: string): string {
  const below = path.relative(root, file)
  return path.join(root, findHookLevel(below) ?? path.dirname(path.dirname(below)))
}

/** True if a path below the project is a configuration file. */
const isSettings = (below: string): boolean => /^(?!\.\.).*(?:^|[\\/])\.cadre[\\/]config\.yaml$/.test(below)
