import { existsSync } from "node:fs"
import path from "node:path"
import type { TrustClaim } from "../../../definitions/authority/claims.ts"
import { compareLines, type LineChange } from "../../../definitions/authority/line-changes.ts"
import { findMissingGates } from "../../../definitions/authority/lost-trust.ts"
import { describeReached } from "../../../definitions/authority/reach.ts"
import type { WorkspaceTrust } from "../../../definitions/authority/workspace-trust.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { ReachableAgent } from "../../../run/rights/reach.ts"
import { grantText } from "./grant-text.ts"

/** The facts that the user sees before trusting a project: file by file, what is new. */
export interface Review {
  readonly root: string
  readonly since: string | undefined
  readonly files: readonly ReviewedFile[]
  /** Trusted files that no longer exist. */
  readonly gone: readonly string[]
  /** Files that cannot be shown, and so are not trusted. */
  readonly notes: readonly string[]
  /** Every agent that the project's agents can start, with its tools. */
  readonly reach: readonly ReachableAgent[]
  /** Missing files that restricted runs, each with what was shown when the user trusted it. */
  readonly missed: ReadonlyMap<string, readonly string[]>
  /** Whether the user has something to review: a file is new, changed or missing, or an agent can start more agents. */
  readonly isNews: boolean
}

interface ReviewedFile {
  readonly file: string
  readonly agent: string | undefined
  readonly state: "new" | "changed" | "unchanged"
  /** The SHA-256 of a script that runs as a tool. */
  readonly hash?: string
  readonly gains: readonly string[]
  /** The rights that the file had when it was trusted, if they were different. */
  readonly had: readonly string[] | undefined
  /** The changed lines. Undefined if they are unknown. */
  readonly changes: readonly LineChange[] | undefined
  /** For a trusted agent: the agents that it can start only since then, or that ask for more tools now. */
  readonly joined: readonly ReachableAgent[]
}

export function reviewOf(standing: WorkspaceTrust & { readonly notes?: readonly string[] }): Review {
  const { root, claims, record, of, shown, shownReach, notes = [] } = standing
  const files = claims.map((claim): ReviewedFile => {
    const state = ({ unknown: "new", changed: "changed", trusted: "unchanged" } as const)[of(claim)]
    const before = state === "changed" ? shown(claim.file) : undefined
    const reviewedReach =
      state === "unchanged" ? shownReach(claim.file, claim.reach ?? []) : (claim.reach ?? [])
    const isSame = before?.gains.join("\n") === claim.gains.join("\n")
    return {
      file: path.relative(root, claim.file),
      agent: claim.agent,
      state,
      ...(claim.isScript && { hash: claim.hash }),
      gains: claim.gains,
      had: isSame ? undefined : before?.gains,
      changes: changesOf(before?.text, claim),
      joined: (claim.reach ?? []).filter((one) => !reviewedReach.includes(one)),
    }
  })
  const reachable = new Map(
    claims.flatMap(({ reach = [] }) => reach).map((one) => [describeReached(one), one] as const),
  )
  const there = new Set(files.map(({ file }) => file))
  const missed = new Map(
    findMissingGates(standing).map((file) => [file, shown(path.join(root, file))?.gains ?? []] as const),
  )
  return {
    root,
    since: record?.at,
    files,
    gone: [...new Set([...Object.keys(record?.files ?? {}), ...Object.keys(record?.read ?? {})])].filter(
      (file) => !there.has(file) && !existsSync(path.join(root, file)),
    ),
    notes,
    reach: [...reachable].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one),
    missed,
    isNews: missed.size > 0 || files.some(({ state, joined }) => state !== "unchanged" || joined.length > 0),
  }
}

const changesOf = (before: string | undefined, { text }: TrustClaim): readonly LineChange[] | undefined =>
  before === undefined || text === undefined ? undefined : compareLines(before, text)

export const reviewJson = ({ root, since, files, gone, missed, reach, notes }: Review) => ({
  root,
  since: since ?? null,
  reach,
  files: files.map(({ agent, had, changes, joined, ...file }) => ({
    ...file,
    ...(joined.length > 0 && { joined }),
    ...(agent !== undefined && { agent }),
    ...(had && { had }),
    ...(changes && { changes }),
  })),
  gone,
  missed: [...missed.keys()],
  ...(notes.length > 0 && { notes }),
})

/** The most changed lines that are shown for one file. */
const mostLines = 60

/** The review in lines of safe text. */
export function reviewText({ root, since, files, gone, missed, isNews, reach, notes }: Review): string {
  if (files.length === 0 && missed.size === 0) return `${escapeText(root)}\nNothing here needs trust.\n`
  const head = since === undefined ? "not trusted" : `trusted since ${since}`
  return [
    `${escapeText(root)} (${head})`,
    ...groupsOf(files).flatMap(fileLines),
    ...gone.flatMap((file) => [
      `gone       ${escapeText(file)}`,
      ...(missed.get(file) ?? []).map((gain) => `             it had: ${escapeText(grantText(gain))}`),
      ...(missed.has(file) ? ["             its restrictions no longer apply"] : []),
    ]),
    ...notes.map((note) => `not shown  ${escapeText(note)}`),
    ...(reach.length > 0 ? ["reach      every agent that these agents can start, with its tools:"] : []),
    ...reach.map((one) => `             ${escapeText(describeReached(one))}`),
    ...(isNews ? [] : ["Everything is already trusted."]),
  ]
    .map((line) => `${line}\n`)
    .join("")
}

/** Files that gain the same, and of which nothing else is to be said, stand together. */
function groupsOf(files: readonly ReviewedFile[]): readonly (readonly ReviewedFile[])[] {
  const groups = new Map<string, ReviewedFile[]>()
  for (const file of files) {
    const { state, hash, gains, had, joined } = file
    const isPlain = state !== "changed" && hash === undefined && !had && joined.length === 0
    const key = isPlain ? JSON.stringify([state, gains]) : file.file
    const group = groups.get(key)
    if (group) group.push(file)
    else groups.set(key, [file])
  }
  return [...groups.values()]
}

function fileLines(group: readonly ReviewedFile[]): readonly string[] {
  const [{ state, hash, gains, had, changes, joined }] = group as readonly [ReviewedFile]
  return [
    ...group.map(({ file, agent }) => {
      const whose = agent === undefined ? "" : ` (agent ${agent})`
      return `${(joined.length > 0 ? "reach" : state).padEnd(9)}  ${escapeText(`${file}${whose}`)}`
    }),
    ...gains.map((gain) => `             ${escapeText(grantText(gain))}`),
    ...(hash === undefined ? [] : [`             SHA-256 ${hash}`]),
    ...(had ? [`             before: ${escapeText(had.map(grantText).join("; "))}`] : []),
    ...joined.map((one) => `           + it can now start ${escapeText(describeReached(one))}`),
    ...changeLines(state, changes),
  ]
}

function changeLines(
  state: ReviewedFile["state"],
  changes: readonly LineChange[] | undefined,
): readonly string[] {
  if (state !== "changed") return []
  if (!changes) return ["             (the changed lines are unknown: read the file)"]
  const lines = changes
    .slice(0, mostLines)
    .map(({ type, text }) => `           ${type === "added" ? "+" : "-"} ${escapeText(text)}`)
  const moreCount = changes.length - lines.length
  return moreCount > 0 ? [...lines, `           … and ${moreCount} more lines`] : lines
}
