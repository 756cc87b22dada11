import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import { findDamage } from "../../../run/log/damage.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { conduct, getExitCode, readWaitingCalls, watchRun } from "../run/conduct.ts"
import { driveResumed } from "../run/drive-resumed.ts"
import { printFailureJson } from "../run/failure-json.ts"
import { type Driving, drivingOptions, readDriving } from "../run/options.ts"
import { toResultJson } from "../run/result-json.ts"
import { resumeLine } from "../run/resume-command.ts"
import { nameOutcome } from "../run/words.ts"
import { describeDamage, repairLog } from "../stored-runs/damaged-log.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { convertUnknownRun, storeOf, withRuntime } from "../stored-runs/runs.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { cutToOneLine } from "../terminal/table.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import { UsageError } from "../usage-error.ts"

export const resumeCommand = defineCommand({
  name: "resume",
  summary: "Resume a run that crashed or was waiting for approval",
  usage: "cadre resume [OPTIONS] (ID | --all)",
  arguments: [{ name: "id", doc: "The run", count: "optional", complete: "run" }],
  options: {
    all: {
      type: "flag",
      doc: "Resume every run that has not ended and that no process drives, also runs that wait for approval. They run one after the other; while one waits for its provider, the next starts",
    },
    force: { type: "flag", doc: "Take over even if the current owner might still be alive" },
    repair: {
      type: "flag",
      doc: "Repair its damaged log first. Everything readable is kept, and so is a copy of the damaged log",
    },
    ...drivingOptions,
  },
  examples: [
    { line: "cadre approve ID c1 && cadre resume ID", doc: "Approve a call, then resume" },
    { line: "cadre resume ID --repair", doc: "Repair the log of a run, and resume without the lost part" },
    { line: "cadre resume --all", doc: "After a crash of the machine: resume everything" },
  ],
  async run({ arguments: { id: word }, options, ...context }) {
    const id = word === undefined ? undefined : await findRun(word, context)
    const driving = readDriving(options)
    if ((id === undefined) === (options.all === undefined))
      throw new UsageError("Name one run, or use --all without an id.")
    if (id === undefined) {
      if (driving.print === "jsonl" || options.force || options.repair)
        throw new UsageError(
          "--jsonl, --force and --repair work on one run. Leave out --all and name the run.",
        )
      return resumeAll(driving, context)
    }
    const takeover = options.force ? ({ force: true } as const) : {}
    return printFailureJson(driving, context, () =>
      convertUnknownRun(async () => {
        if (options.repair) await repairLog(id, takeover, context)
        return driveResumed(id, driving, context, (runs) =>
          conduct(runs, runs.runtime.resume(id, takeover), driving, context),
        )
      }),
    )
  },
})

type Context = Omit<CommandContext, "arguments" | "options">

/**
 * Prints one line per run and returns the worst exit code. A run that another process drives gets a line and counts as
 * fine. While one run waits for its provider, the next one starts. A live screen can show only one run, so there the next
 * one starts when the first has ended.
 */
async function resumeAll(driving: Driving, context: Context): Promise<ExitCode> {
  const { stdout } = context
  const results = new Map<string, object>()
  let worst: ExitCode = exitCode.fine
  const open = await openRoots(context)
  const going: Promise<void>[] = []
  for (const { run, agent } of open) {
    if (worst > 128) break
    await new Promise<void>((next, failed) => {
      const work = attempt(run, driving, context, () => {
        if (!context.screen) next()
      }).then(({ code, state, ...rest }) => {
        if (driving.print === "json") results.set(run, { id: run, agent, state, ...rest })
        else stdout.write(`${run}  ${escapeText(`${agent}  ${cutToOneLine(state, 1000)}`)}\n`)
        worst = worse(worst, code)
      })
      going.push(work)
      work.then(next, failed)
    })
  }
  await Promise.all(going)
  if (driving.print === "json")
    stdout.write(writeJsonText({ runs: open.flatMap(({ run }) => results.get(run) ?? []) }))
  else if (open.length === 0) context.stderr.write("There are no open runs.\n")
  return worst
}

interface Attempt {
  readonly code: ExitCode
  readonly state: string
  readonly result?: object
}

async function attempt(id: string, driving: Driving, context: Context, onWait: () => void): Promise<Attempt> {
  const onEvent = (event: LiveEvent) => {
    if (event.type === "model-retry" && event.until !== undefined) onWait()
  }
  try {
    const store = storeOf(context)
    const damage = await findDamage(store, id).finally(() => store.close())
    if (damage) {
      // A log without its start cannot be repaired. The user cannot do anything, so the exit code stays fine.
      const code = damage.start === "lost" ? exitCode.fine : exitCode.problems
      return { code, state: `damaged: ${describeDamage(damage, id)}` }
    }
    const { driven, questions } = await driveResumed(id, driving, context, async (runs) => {
      const driven = await watchRun(runs, runs.runtime.resume(id), driving, context, [], onEvent)
      return { driven, questions: await readWaitingCalls(runs, driven.result) }
    })
    const { outcome, status } = driven.result
    return {
      code: getExitCode(driven),
      state: outcome ? nameOutcome(outcome) : status,
      result: toResultJson(driven.result, { questions, resume: resumeLine(driven.result.run, driving) }),
    }
  } catch (error) {
    if (error instanceof UntrustedError) return { code: exitCode.untrusted, state: error.message }
    if (!(error instanceof CadreError) && !(error instanceof UsageError)) throw error
    const code = "code" in error && error.code === "RUN_OWNED" ? exitCode.fine : exitCode.problems
    return { code, state: error.message }
  }
}

/** All root runs that have not ended, the oldest first. */
async function openRoots({ environment }: Context): Promise<readonly RunHead[]> {
  return withRuntime({ environment }, async (runtime) => {
    const open: RunHead[] = []
    for await (const head of runtime.list({ status: "open", order: "oldest" })) open.push(head)
    return open
  })
}

/** Exit codes from the best to the worst. A signal is worse than all of them. */
const ranks: readonly ExitCode[] = [
  exitCode.fine,
  exitCode.resting,
  exitCode.cancelled,
  exitCode.limit,
  exitCode.denied,
  exitCode.untrusted,
  exitCode.uncertain,
  exitCode.problems,
]

const worse = (one: ExitCode, other: ExitCode): ExitCode =>
  other > 128 || ranks.indexOf(other) > ranks.indexOf(one) ? other : one
