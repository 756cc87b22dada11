import { existsSync } from "node:fs"
import path from "node:path"
import type { Claim } from "../authority/claims.ts"
import { type LineChange, lineChanges } from "../authority/line-changes.ts"
import { goneGates } from "../authority/lost-trust.ts"
import type { Standing } from "../authority/standing.ts"
import { escapeText } from "../diagnostics/escape-text.ts"

/** What a person is shown before they trust a project: file by file, what is new. */
export interface Review {
  readonly root: string
  readonly since: string | undefined
  readonly files: readonly ReviewedFile[]
  /** Files that were trusted and are not there any more. */
  readonly gone: readonly string[]
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
}

export function reviewOf(standing: Standing): Review {
  const { root, claims, record, of, shown } = standing
  const files = claims.map((claim): ReviewedFile => {
    const state = ({ unknown: "new", changed: "changed", trusted: "unchanged" } as const)[of(claim)]
    const before = state === "changed" ? shown(claim.file) : undefined
    const isSame = before?.gains.join("\n") === claim.gains.join("\n")
    return {
      file: path.relative(root, claim.file),
      agent: claim.agent,
      state,
      gains: claim.gains,
      had: isSame ? undefined : before?.gains,
      changes: changesOf(before?.text, claim),
    }
  })
  const there = new Set(files.map(({ file }) => file))
  const missed = new Map(
    goneGates(standing).map((file) => [file, shown(path.join(root, file))?.gains ?? []] as const),
  )
  return {
    root,
    since: record?.at,
    files,
    gone: Object.keys(record?.files ?? {}).filter(
      (file) => !there.has(file) && !existsSync(path.join(root, file)),
    ),
    missed,
    isNews: missed.size > 0 || files.some(({ state }) => state !== "unchanged"),
  }
}

const changesOf = (before: string | undefined, { text }: Claim): readonly LineChange[] | undefined =>
  before === undefined || text === undefined ? undefined : lineChanges(before, text)

export const reviewJson = ({ root, since, files, gone, missed }: Review) => ({
  root,
  since: since ?? null,
  files: files.map(({ agent, had, changes, ...file }) => ({
    ...file,
    ...(agent !== undefined && { agent }),
    ...(had && { had }),
    ...(changes && { changes }),
  })),
  gone,
  missed: [...missed.keys()],
})

/** Lines of a difference that are shown of one file. */
const mostLines = 60

/** In lines of safe text. */
export function reviewText({ root, since, files, gone, missed, isNews }: Review): string {
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
    ...(isNews ? [] : ["All of it is trusted as it is."]),
  ]
    .map((line) => `${line}\n`)
    .join("")
}

function fileLines({ file, agent, state, gains, had, changes }: ReviewedFile): readonly string[] {
  const whose = agent === undefined ? "" : ` (agent ${agent})`
  return [
    `${state.padEnd(9)}  ${escapeText(`${file}${whose}`)}`,
    ...gains.map((gain) => `             ${escapeText(gain)}`),
    ...(had ? [`             before: ${escapeText(had.join("; "))}`] : []),
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
