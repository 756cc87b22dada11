import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { readVersion } from "../../../run/explain/changes.ts"
import { recordUndone } from "../../../run/log/record-undone.ts"
import type { Store } from "../../../run/log/store.ts"
import { applyUndo } from "../../../world/undo/apply-undo.ts"
import { planUndo, type UndoPlan, type WantedVersion } from "../../../world/undo/plan-undo.ts"
import { nameIn } from "../changes/patch-text.ts"
import { describeDiffProblem, describeUnseenChanges } from "../changes/problem-text.ts"
import { type RunDiff, readRunDiff } from "../changes/read-run-diff.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { storeOf } from "../stored-runs/runs.ts"
import { locateRunsFolder } from "../stored-runs/runs-folder.ts"
import { askPerson } from "../terminal/ask-person.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

type Way = "undo" | "redo"

export const undoCommand = defineCommand({
  name: "undo",
  summary: "Undo what a run changed in files",
  arguments: [
    { name: "id", doc: "The run: an id, the beginning of one, `last` or `last:AGENT`", complete: "run" },
  ],
  options: {
    agent: { type: "value", value: "NAME", doc: "Undo only changes of this agent's runs", complete: "agent" },
    partial: { type: "flag", doc: "Undo what can be undone, and leave the other files" },
    redo: { type: "flag", doc: "Make the changes again that were undone" },
    "dry-run": { type: "flag", doc: "Only show what would happen" },
    yes: { type: "flag", short: "y", doc: "Do not ask" },
    json: { type: "flag", doc: "Print JSON. Changes nothing without --yes" },
  },
  examples: [
    { line: "cadre undo last", doc: "Show the files, ask, and put them back as they were" },
    { line: "cadre undo last --redo", doc: "Make the same changes again" },
    { line: "cadre undo ID --partial --yes", doc: "Leave the files that have changed since" },
  ],
  async run({ arguments: { id: word }, options, ...context }) {
    const id = await findRun(word, context)
    const store = storeOf(context)
    const way: Way = options.redo ? "redo" : "undo"
    try {
      const diff = await readRunDiff(store, id, options.agent)
      if (!diff) throw new UsageError(`There is no run ${JSON.stringify(id)}. \`cadre runs\` lists all runs.`)
      let code: ExitCode = exitCode.fine
      await recordUndone(store, id, async () => {
        const plan = planUndo(diff.base, await wantedVersions(store, id, diff, way), [
          locateRunsFolder(context),
        ])
        const answer = await decide(id, plan, diff, { ...options, way }, context)
        code = answer.code
        if (answer.type === "leave") return undefined
        await applyUndo(diff.base, plan.steps)
        const files = plan.steps.map(({ path }) => path)
        tell(id, plan, { way, done: files }, options.json ? "json" : "text", context)
        return { of: id, way, files, ...(options.agent !== undefined && { agent: options.agent }) }
      })
      return code
    } catch (error) {
      if (!(error instanceof PathRefusal)) throw error
      context.stderr.write(`${escapeText(error.message)}\n`)
      return exitCode.problems
    } finally {
      await store.close()
    }
  },
})

/** The versions that all files have to get, in the tree of the run and elsewhere. */
async function wantedVersions(
  store: Store,
  run: string,
  { diffs, elsewhere }: RunDiff,
  way: Way,
): Promise<readonly WantedVersion[]> {
  const wanted: WantedVersion[] = []
  for (const { change, renamedFrom, problem } of [...diffs, ...elsewhere])
    for (const { path, before, after, mixed } of renamedFrom ? [renamedFrom, change] : [change]) {
      const [from, to] = way === "undo" ? [after, before] : [before, after]
      const text = to && (await readVersion(store, run, to))
      const reason = mixed ? ("mixed" as const) : problem === "unclear" ? problem : to?.without
      wanted.push({ path, from, to, text, ...(reason && { problem: describeDiffProblem(reason) }) })
    }
  return wanted
}

interface Wish {
  readonly partial?: true | undefined
  readonly "dry-run"?: true | undefined
  readonly yes?: true | undefined
  readonly json?: true | undefined
  readonly way: Way
}

/** Decides whether the plan is carried out, and tells the person why not. */
async function decide(
  id: string,
  plan: UndoPlan,
  diff: RunDiff,
  wish: Wish,
  context: Omit<CommandContext, "arguments" | "options">,
): Promise<{ readonly type: "go" | "leave"; readonly code: ExitCode }> {
  const { steps, obstacles } = plan
  const print = wish.json ? "json" : "text"
  const leave = (code: ExitCode) => {
    tell(id, plan, { way: wish.way, done: [] }, print, context)
    return { type: "leave" as const, code }
  }
  if (print === "text")
    for (const one of diff.changes.unseen.slice(0, mostLines))
      context.stderr.write(`${escapeText(describeUnseenChanges(one))}\n`)
  const isBlocked = obstacles.length > 0 && !(wish.partial && steps.length > 0)
  if (isBlocked) return leave(exitCode.problems)
  if (steps.length === 0 || wish["dry-run"]) return leave(exitCode.fine)
  const code = obstacles.length > 0 ? exitCode.problems : exitCode.fine
  if (wish.yes) return { type: "go", code }
  if (wish.json) return leave(exitCode.usage)
  const { stdin, screen, stderr } = context
  context.stderr.write(linesOf(stepLines(plan, diff.base)))
  if (!stdin?.isTerminal || !screen)
    throw new UsageError("There is no terminal to ask on. Add --yes to change the files without a question.")
  const count = `${steps.length} ${steps.length === 1 ? "file" : "files"}`
  const question = wish.way === "undo" ? `Put ${count} back?` : `Change ${count} again?`
  const answer = await askPerson(stdin, `${question} [y/N] `, (text) => void stderr.write(text))
  if (answer === "yes") return { type: "go", code }
  stderr.write("Nothing was changed.\n")
  return { type: "leave", code: exitCode.fine }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${escapeText(line)}\n`).join("")

/** The most lines of one kind. `--json` has them all. */
const mostLines = 20

const stepLines = ({ steps }: UndoPlan, base: string): readonly string[] =>
  bounded(
    steps.map(({ path, now, to }) => {
      const verb = to ? (now ? "change back" : "restore") : "remove"
      return `  ${verb} ${nameIn(base, path)}`
    }),
  )

const bounded = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `  … and ${lines.length - mostLines + 1} more`]

/** Tells what was done, and what stood in the way. */
function tell(
  id: string,
  { steps, done: already, obstacles }: UndoPlan,
  { way, done }: { readonly way: Way; readonly done: readonly string[] },
  print: "json" | "text",
  { stdout, stderr }: Pick<CommandContext, "stdout" | "stderr">,
): void {
  if (print === "json") {
    const open = steps.map(({ path }) => path).filter((path) => !done.includes(path))
    stdout.write(writeJsonText({ id, way, files: done, open, already, obstacles }))
    return
  }
  const verb = way === "undo" ? "undone" : "made again"
  if (obstacles.length > 0) {
    const head =
      done.length > 0
        ? `${obstacles.length} ${obstacles.length === 1 ? "file stays as it is" : "files stay as they are"}:`
        : "Nothing was changed. These files stand in the way:"
    stderr.write(linesOf([head, ...bounded(obstacles.map(({ path, reason }) => `  ${path}: ${reason}`))]))
    if (done.length === 0 && steps.length > 0)
      stderr.write(
        `To leave them and change the other ${steps.length}: \`cadre undo ${id}${way === "redo" ? " --redo" : ""} --partial\`.\n`,
      )
  }
  if (done.length > 0)
    stdout.write(
      `Changes to ${done.length} ${done.length === 1 ? "file" : "files"} were ${verb}.${way === "undo" ? ` To make them again: \`cadre undo ${id} --redo\`.` : ""}\n`,
    )
  else if (steps.length > 0 && obstacles.length === 0)
    stdout.write(linesOf(["These files would change:", ...bounded(steps.map(({ path }) => `  ${path}`))]))
  else if (obstacles.length === 0)
    stdout.write(
      already.length > 0
        ? `Nothing to do: ${already.length === 1 ? "the file is" : `all ${already.length} files are`} as ${way === "undo" ? "before" : "after"} the run.\n`
        : `Run ${id} changed no files.\n`,
    )
}
