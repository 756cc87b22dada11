import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { CadreError, describeThrown } from "../../../ground/errors.ts"
import type { RunLimits } from "../../../ground/limits.ts"
import { readClock } from "../../../run/log/clock.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { CommandContext } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { watchRun } from "../run/conduct.ts"
import { readRunDepth } from "../run/depth.ts"
import { driveResumed } from "../run/drive-resumed.ts"
import { openRuns } from "../run/open.ts"
import type { Driving } from "../run/options.ts"
import { requireAgent } from "../run/request.ts"
import { requireTrust, requireUnchanged } from "../run/trust.ts"
import { applyRetention } from "../stored-runs/retention.ts"
import { closeWithTimeout, storeOf } from "../stored-runs/runs.ts"
import { UsageError } from "../usage-error.ts"
import type { DriverOrder, DriverReport } from "./orders.ts"

type Context = Omit<CommandContext, "arguments" | "options">

/**
 * Drives the runs of a server in a process of their own. The process outlives the server, and ends after its last run.
 * Runs begin and go on as those of `cadre run` and `cadre resume` do, without a terminal.
 */
export async function driveOrders(driving: Driving, context: Context): Promise<ExitCode> {
  if (!process.send)
    throw new UsageError("--driver is for the server itself, which starts this process. Use `cadre mcp`.")
  const quiet: Context = { ...withoutTerminal(context), stdout: silence, stderr: silence }
  let open = 0
  await new Promise<void>((resolve) => {
    const endIfDone = () => {
      if (open === 0 && !process.connected) resolve()
    }
    process.on("message", (order: DriverOrder) => {
      open++
      void carryOut(order, driving, quiet).finally(() => {
        open--
        if (open === 0) tell({ type: "idle" })
        endIfDone()
      })
    })
    process.on("disconnect", endIfDone)
    endIfDone()
  })
  return exitCode.fine
}

/** Output that no one reads. The log has everything. */
const silence = { write: () => true }

function withoutTerminal({ stdin: _, screen: __, onSignal: ___, ...context }: Context): Context {
  return { ...context, isTerminal: false }
}

/** The server may be gone, and the run goes on. */
function tell(report: DriverReport): void {
  if (process.connected) process.send?.(report, undefined, undefined, () => {})
}

async function carryOut(order: DriverOrder, driving: Driving, context: Context): Promise<void> {
  let begun: string | undefined
  const onBegin = (run: string) => {
    if (begun !== undefined) return
    begun = run
    tell({ type: "begun", id: order.id, run })
  }
  try {
    if (order.type === "start") await start(order, driving, context, onBegin)
    else await resume(order.run, driving, context, onBegin)
  } catch (error) {
    const code = error instanceof CadreError ? error.code : undefined
    const message = describeThrown(error)
    if (begun !== undefined) tell({ type: "failed", run: begun, message })
    else tell({ type: "refused", id: order.id, message, ...(code !== undefined && { code }) })
  }
}

type StartOrder = DriverOrder & { readonly type: "start" }

async function start(
  { agent: name, task, folder: directory, dedupe, model, limits }: StartOrder,
  driving: Driving,
  context: Context,
  onBegin: (run: string) => void,
): Promise<void> {
  const around = { ...context, directory }
  const runs = openRuns(around, storeOf(around), { ...driving, model: "lenient", runs: "new" })
  const { configuration, runtime, standing, workspace } = runs
  try {
    requireValidConfiguration(runs, directory)
    const agent = requireAgent(name, workspace.registry)
    requireUnchanged(runs, directory, driving.trust)
    if (driving.trust !== "all") requireTrust(agent, workspace.registry, standing, directory)
    const run = runtime.run(agent, task, {
      cwd: directory,
      dedupe,
      limits: lowered(limits, { ...configuration.limits, ...agent.limits }),
      ...readRunDepth(around, configuration.limits.maxDepth),
      ...(model !== undefined && { model }),
    })
    await watchRun(runs, run, driving, around, [], () => onBegin(run.id))
    await applyRetention(configuration.retention, around)
  } finally {
    await closeWithTimeout(runtime)
  }
}

/** A host may lower limits, and never raise them. */
function lowered(wanted: StartOrder["limits"], limits: RunLimits): RunLimits {
  const entries = Object.entries(wanted ?? {}) as ["timeout" | "maxTurns", number][]
  return Object.fromEntries(entries.map(([name, value]) => [name, Math.min(value, limits[name] ?? value)]))
}

async function resume(
  run: string,
  driving: Driving,
  context: Context,
  onBegin: (run: string) => void,
): Promise<void> {
  // Recorded events come first. Those from now on say that this process drives the run.
  const since = readClock()
  const onEvent = (event: LiveEvent) => {
    if ("at" in event && event.at >= since) onBegin(run)
  }
  try {
    await driveResumed(run, driving, context, (runs) =>
      watchRun(runs, runs.runtime.resume(run), driving, context, [], onEvent),
    )
    onBegin(run)
  } catch (error) {
    // Another process was faster, and drives it.
    if (!(error instanceof CadreError) || error.code !== "RUN_OWNED") throw error
    onBegin(run)
  }
}
