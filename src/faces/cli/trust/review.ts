import { existsSync } from "node:fs"
import path from "node:path"
import type { Claim } from "../../../definitions/authority/claims.ts"
import { type LineChange, lineChanges } from "../../../definitions/authority/line-changes.ts"
import { goneGates } from "../../../definitions/authority/lost-trust.ts"
import { reachedText } from "../../../definitions/authority/reach.ts"
import type { Standing } from "../../../definitions/authority/standing.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Reached } from "../../../run/rights/reach.ts"

/** What a person is shown before they trust a project: file by file, what is new. */
export interface Review {
  readonly root: string
  readonly since: string | undefined
  readonly files: readonly ReviewedFile[]
  /** Files that were trusted and are not there any more. */
  readonly gone: readonly string[]
  /** What cannot be shown, and so is not trusted. */
  readonly notes: readonly string[]
  /** Everybody whom some agent among them reaches, with what they ask for. */
  readonly reach: readonly Reached[]
  /** Of these, those without which more is allowed: what was shown of them when they were trusted. */
  readonly missed: ReadonlyMap<string, readonly string[]>
  /** Whether there is anything that was not trusted as it is, or that is missed. */
  readonly isNews: boolean
}

interface ReviewedFile {
  readonly file: string
  readonly agent: string | undefined
  readonly state: "new" | "changed" | "unchanged"
  readonly gains: readonly string[]
  /** What it had when it was trusted, where that is something else. */
  readonly had: readonly string[] | undefined
  /** What has changed in it; undefined where that is not known. */
  readonly changes: readonly LineChange[] | undefined
  /** Of an agent that was trusted: whom it reaches now and did not then, or who asks for more now. */
  readonly joined: readonly Reached[]
}

export function reviewOf(standing: Standing & { readonly notes?: readonly string[] }): Review {
  const { root, claims, record, of, shown, shownReach, notes = [] } = standing
  const files = claims.map((claim): ReviewedFile => {
    const state = ({ unknown: "new", changed: "changed", trusted: "unchanged" } as const)[of(claim)]
    const before = state === "changed" ? shown(claim.file) : undefined
    const known = state === "unchanged" ? shownReach(claim.file, claim.reach ?? []) : (claim.reach ?? [])
    const isSame = before?.gains.join("\n") === claim.gains.join("\n")
    return {
      file: path.relative(root, claim.file),
      agent: claim.agent,
      state,
      gains: claim.gains,
      had: isSame ? undefined : before?.gains,
      changes: changesOf(before?.text, claim),
      joined: (claim.reach ?? []).filter((one) => !known.includes(one)),
    }
  })
  const reached = new Map(
    claims.flatMap(({ reach = [] }) => reach).map((one) => [reachedText(one), one] as const),
  )
  const there = new Set(files.map(({ file }) => file))
  const missed = new Map(
    goneGates(standing).map((file) => [file, shown(path.join(root, file))?.gains ?? []] as const),
  )
  return {
    root,
    since: record?.at,
    files,
    gone: [...new Set([...Object.keys(record?.files ?? {}), ...Object.keys(record?.read ?? {})])].filter(
      (file) => !there.has(file) && !existsSync(path.join(root, file)),
    ),
    notes,
    reach: [...reached].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one),
    missed,
    isNews: missed.size > 0 || files.some(({ state, joined }) => state !== "unchanged" || joined.length > 0),
  }
}

const changesOf = (before: string | undefined, { text }: Claim): readonly LineChange[] | undefined =>
  before === undefined || text === undefined ? undefined : lineChanges(before, text)

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

/** Lines of a difference that are shown of one file. */
const mostLines = 60

/** In lines of safe text. */
export function reviewText({ root, since, files, gone, missed, isNews, reach, notes }: Review): string {
  if (files.length === 0 && missed.size === 0)
    return `${escapeText(root)}\nNothing in it needs to be trusted.\n`
  const head = since === undefined ? "not trusted" : `trusted since ${since}`
  return [
    `${escapeText(root)} (${head})`,
    ...files.flatMap(fileLines),
    ...gone.flatMap((file) => [
      `gone       ${escapeText(file)}`,
      ...(missed.get(file) ?? []).map((gain) => `             it was trusted for: ${escapeText(gain)}`),
      ...(missed.has(file) ? ["             what it forbade is not forbidden any more"] : []),
    ]),
    ...notes.map((note) => `not shown  ${escapeText(note)}`),
    ...(reach.length > 0
      ? ["reach      every agent that one of these may hand work to, with its tools:"]
      : []),
    ...reach.map((one) => `             ${escapeText(reachedText(one))}`),
    ...(isNews ? [] : ["All of it is trusted as it is."]),
  ]
    .map((line) => `${line}\n`)
    .join("")
}

function fileLines({ file, agent, state, gains, had, changes, joined }: ReviewedFile): readonly string[] {
  const whose = agent === undefined ? "" : ` (agent ${agent})`
  return [
    `${(joined.length > 0 ? "reach" : state).padEnd(9)}  ${escapeText(`${file}${whose}`)}`,
    ...gains.map((gain) => `             ${escapeText(gain)}`),
    ...(had ? [`             before: ${escapeText(had.join("; "))}`] : []),
    ...joined.map((one) => `           + it may now hand work to ${escapeText(reachedText(one))}`),
    ...changeLines(state, changes),
  ]
}

function changeLines(
  state: ReviewedFile["state"],
  changes: readonly LineChange[] | undefined,
): readonly string[] {
  if (state !== "changed") return []
  if (!changes) return ["             (what has changed in it is not known: read it)"]
  const lines = changes
    .slice(0, mostLines)
    .map(({ type, text }) => `           ${type === "added" ? "+" : "-"} ${escapeText(text)}`)
  const left = changes.length - lines.length
  return left > 0 ? [...lines, `           … and ${left} more lines`] : lines
}
