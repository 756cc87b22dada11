import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { FileDiff } from "../../../run/explain/file-diffs.ts"
import { toDiffJson } from "../changes/diff-json.ts"
import { patchOf, showPatch } from "../changes/patch-text.ts"
import { describeDiffProblem, describeUnseenChanges } from "../changes/problem-text.ts"
import { type RunDiff, readRunDiff } from "../changes/read-run-diff.ts"
import { writeStatLines } from "../changes/stat-lines.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { storeOf } from "../stored-runs/runs.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { cutToOneLine } from "../terminal/table.ts"
import { UsageError } from "../usage-error.ts"

export const diffCommand = defineCommand({
  name: "diff",
  summary: "Show what a run changed in files",
  arguments: [
    { name: "id", doc: "The run: an id, the beginning of one, `last` or `last:AGENT`", complete: "run" },
  ],
  options: {
    agent: { type: "value", value: "NAME", doc: "Show only changes of this agent's runs", complete: "agent" },
    stat: { type: "flag", doc: "Show only names, and the number of lines added and removed" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre diff last", doc: "Show the changes of the newest run" },
    { line: "cadre diff last --stat", doc: "Show which files changed, and by how much" },
    { line: "cadre diff ID | git apply", doc: "Make the same changes in another copy of the files" },
  ],
  async run({ arguments: { id: word }, options, ...context }) {
    const id = await findRun(word, context)
    const store = storeOf(context)
    try {
      const diff = await readRunDiff(store, id, options.agent)
      if (!diff) throw new UsageError(`There is no run ${JSON.stringify(id)}. \`cadre runs\` lists all runs.`)
      if (options.json) context.stdout.write(writeJsonText(toDiffJson(id, diff)))
      else if (options.stat) context.stdout.write(linesOf(writeStatLines(diff, context)))
      else context.stdout.write(patchText(diff, context))
      if (!options.json) context.stderr.write(linesOf(noteLines(id, diff)))
      return exitCode.fine
    } finally {
      await store.close()
    }
  },
})

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")

/** On a terminal, changes that are not part of the patch are shown, too. */
function patchText(
  { diffs, base }: RunDiff,
  { isTerminal, columns = 80, colour }: Pick<CommandContext, "isTerminal" | "columns" | "colour">,
): string {
  if (!isTerminal && colour === "off") return diffs.map((diff) => patchOf(diff, base) ?? "").join("")
  const options = { paint: createPainter(colour), columns: isTerminal ? columns : Number.MAX_SAFE_INTEGER }
  return linesOf(diffs.filter(({ hunks }) => hunks).flatMap((diff) => showPatch(diff, base, options)))
}

/** The most lines of notes of one kind. `--json` has them all. */
const mostNotes = 10

/** The facts that a patch cannot tell. */
function noteLines(run: string, { diffs, elsewhere, changes, base }: RunDiff): readonly string[] {
  const { undone, unseen, cwd } = changes
  const leftOut = diffs.filter(({ problem }) => problem !== undefined)
  const count = diffs.length + elsewhere.length
  return [
    ...(count === 0 && unseen.length === 0 ? [`Run ${run} changed no files.`] : []),
    ...(undone ? [undoneText(undone)] : []),
    ...bounded(
      leftOut.map((diff) => `Not in the patch: ${diff.change.path}: ${describeDiffProblem(diff.problem!)}.`),
    ),
    ...bounded(
      diffs
        .filter(({ change }) => change.mixed)
        .map(({ change }) => `${change.path}: ${describeDiffProblem("mixed")}, which the patch has, too.`),
    ),
    ...bounded(elsewhere.map(elsewhereText)),
    ...bounded(unseen.map(describeUnseenChanges)),
    ...(base !== cwd && diffs.length > 0 ? [`Names start from ${base}.`] : []),
  ].map(escapeText)
}

function undoneText({ way, at, agent, files }: NonNullable<RunDiff["changes"]["undone"]>): string {
  const what = `Changes to ${files.length} ${files.length === 1 ? "file" : "files"}${agent === undefined ? "" : ` by ${cutToOneLine(agent, 40)}`}`
  return `${what} were ${way === "undo" ? "undone" : "made again"} at ${new Date(at).toISOString()}.`
}

const elsewhereText = ({ change, counts }: FileDiff): string =>
  `Changed elsewhere: ${change.path}${counts ? ` (+${counts.added} -${counts.removed})` : ""}. \`cadre diff ${change.steps[0]!.run}\` shows a subagent's worktree.`

const bounded = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostNotes
    ? lines
    : [...lines.slice(0, mostNotes - 1), `… and ${lines.length - mostNotes + 1} more`]
