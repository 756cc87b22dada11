import type { Agent } from "../../agent/agent.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { parseArguments } from "../begin/inspect.ts"
import type { CallResult, CallVerdict, HookEnd, ToolEnd } from "../log/event.ts"
import { chargeForUsage } from "../log/tool-usage.ts"
import type { SignalHolder } from "../ports/effect.ts"
import type { AfterVerdict, Hook } from "../ports/hook.ts"
import type { HookCall, HookVerdict } from "../ports/hooked.ts"
import { resolveAccesses } from "../rights/accesses.ts"
import { listAgentHooks, withActivatedWorkflow } from "../rights/hooks.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { workPlaceOf } from "./execute-tool.ts"
import { createHookActions, disableCommands } from "./hook-actions.ts"
import {
  addHookEffects,
  createHookEffects,
  describeRunForHooks,
  type HookEffects,
  isHookSkipped,
  toHookRecord,
} from "./hook-effects.ts"

/** The combined result of all hooks of a call. */
export type HookJudgement = Omit<HookEnd, "type" | "call">

/** Lets the run's hooks judge a call, in order, and records the result. A hook that fails blocks the call. */
export async function judgeWithHooks(drive: Drive, call: OpenCall, work = call.id): Promise<void> {
  const { environment, state } = drive
  if (state.hooks.every((name) => environment.hooks.has(name))) return judgeNow(drive, call, work)
  return runInSequence(drive, () => judgeNow(drive, call, work))
}

/** Runs work one after the other, because written hooks may set variables that later hooks must see. */
export function runInSequence(drive: Drive, work: () => Promise<void>): Promise<void> {
  const before = lastOf.get(drive)
  const now = (async () => {
    await before?.catch(() => {})
    await work()
  })()
  lastOf.set(drive, now)
  return now
}

const lastOf = new WeakMap<Drive, Promise<void>>()

async function judgeNow(drive: Drive, call: OpenCall, work: string): Promise<void> {
  if (drive.isStopped) return
  const workResult = await drive.run(work, (running) => askCallHooks(drive, call, running), {
    timeout: drive.state.start!.limits.toolTimeout,
  })
  if (drive.isStopped) return
  const judgement: HookJudgement =
    workResult.type === "value"
      ? workResult.value
      : blockWith(
          `a hook failed: ${workResult.type === "error" ? describeThrown(workResult.error) : workResult.aborted}`,
        )
  await drive.recorder.record({ type: "hook-end", call: call.id, ...judgement })
}

export async function askCallHooks(
  drive: Drive,
  call: OpenCall,
  running: SignalHolder,
  names = drive.state.hooks,
): Promise<HookJudgement> {
  const { state, environment, definition } = drive
  const hooks = await listAgentHooks(environment, withActivatedWorkflow(definition.agent, state))
  const gathered = createHookEffects()
  // A blocked call spawns no agents; the variables and texts of earlier hooks stay.
  const block = (reason: string, hook?: string): HookJudgement => ({
    ...blockWith(reason, hook),
    ...toHookRecord({ ...gathered, spawns: [] }),
  })
  let { arguments: text, accesses } = call
  let lastRewrite = 0
  const ask = (name: string) =>
    askHook(drive, hooks, name, { ...call, arguments: text, accesses }, gathered.variables, running)
  for (const [index, name] of names.entries()) {
    const answer = await ask(name)
    if (!answer) continue
    if ("problem" in answer) return block(answer.problem, answer.by)
    const { hook, verdict } = answer
    const wrong = addHookEffects(drive, hook, verdict, gathered)
    if (wrong !== undefined) return block(`hook "${name}" ${wrong}`, name)
    if (verdict.type === "pass") continue
    const parsed = parseArguments(verdict.arguments)
    const valid =
      "problem" in parsed ? parsed : ((await definition.validate(call.tool)?.(parsed.value)) ?? parsed)
    if ("problem" in valid)
      return block(`hook "${name}" rewrote the arguments wrongly: ${valid.problem}`, name)
    text = verdict.arguments
    // The accesses of the rewritten call: the rules and later hooks judge it as if the model had asked for
    // it.
    accesses = await resolveAccesses(
      environment,
      call.tool,
      valid.value,
      state.run,
      workPlaceOf(drive, call.tool),
    )
    lastRewrite = index
  }
  // Hooks before the last rewrite have seen other arguments. They may still block the call, and have no other
  // effect.
  for (const name of names.slice(0, lastRewrite)) {
    const answer = await ask(name)
    if (answer && "problem" in answer) return block(answer.problem, answer.by)
  }
  const verdict: CallVerdict =
    text === call.arguments
      ? { type: "pass" }
      : { type: "rewrite", arguments: text, ...(accesses && { accesses }) }
  return { verdict, ...toHookRecord(gathered) }
}

/**
 * The verdict of a hook on the call as it is now, or the reason why the call is blocked. Undefined if the
 * hook is not asked.
 */
async function askHook(
  drive: Drive,
  hooks: readonly Hook[],
  name: string,
  call: OpenCall,
  newVariables: JsonMap,
  running: SignalHolder,
): Promise<
  | { readonly hook: Hook; readonly verdict: Exclude<HookVerdict, { type: "block" }> }
  | { readonly problem: string; readonly by?: string }
  | undefined
> {
  const hook = hooks.find((one) => one.name === name)
  if (!hook) return { problem: `hook "${name}" is no longer registered` }
  if (!hook.judge || isHookSkipped(drive, hook)) return undefined
  const parsed = parseArguments(call.arguments)
  if ("problem" in parsed) return parsed
  const question = hookedCall(drive, call, parsed.value as { [name: string]: Json }, newVariables)
  const verdict = await hook.judge(question, running.signal, createHookActions(drive, call, hook, running))
  switch (verdict.type) {
    case "pass":
    case "rewrite":
      return { hook, verdict }
    case "block":
      return { problem: String(verdict.reason ?? "no reason was given"), by: name }
    default:
      return { problem: `hook "${name}" returned an unknown verdict`, by: name }
  }
}

/**
 * Shows the result of a call to the run's hooks. Problems are only reported, because the call has already
 * run.
 */
async function afterHooks(
  drive: Drive,
  call: OpenCall,
  { result: { status, text: result }, activates }: CallEnd,
  gathered: HookEffects,
): Promise<void> {
  const { state, environment, definition } = drive
  if (state.hooks.length === 0) return
  const hooks = await readCurrentHooks(environment, withActivatedWorkflow(definition.agent, state))
  const observers = hooks.filter(({ name, after }) => after && state.hooks.includes(name))
  if (observers.length === 0) return
  const parsed = parseArguments(call.arguments)
  const input = ("value" in parsed ? parsed.value : {}) as HookCall["input"]
  for (const hook of observers) {
    if (drive.isStopped || isHookSkipped(drive, hook)) continue
    const isLost = call.hooking !== undefined
    if (isLost && !hook.binds) {
      gathered.problems.push(
        `${hook.name}: it was skipped, because it had already seen a result of this call before the process died`,
      )
      continue
    }
    const workResult = await drive.run(
      call.id,
      (running) =>
        hook.after!(
          {
            ...hookedCall(drive, call, input, { ...activates?.variables, ...gathered.variables }),
            status,
            result,
          },
          running.signal,
          isLost
            ? disableCommands(createHookActions(drive, call, hook, running))
            : createHookActions(drive, call, hook, running),
        ),
      { timeout: state.start!.limits.toolTimeout },
    )
    const wrong =
      workResult.type === "value"
        ? (replaceProblem(workResult.value) ?? addHookEffects(drive, hook, workResult.value, gathered))
        : workResult.type === "error"
          ? describeThrown(workResult.error)
          : workResult.aborted
    if (wrong !== undefined) gathered.problems.push(`${hook.name}: ${wrong}`)
  }
}

/** Shows a result to the hooks and ends the call. Hooks are asked one after the other. */
export function endCallWithHooks(
  drive: Drive,
  call: OpenCall,
  result: CallResult,
  more: Omit<CallEnd, "result"> = {},
): Promise<void> {
  const { environment, state } = drive
  const end = () => endCallNow(drive, call, { result, ...more }, createHookEffects())
  return state.hooks.every((name) => environment.hooks.has(name)) ? end() : runInSequence(drive, end)
}

type CallEnd = Pick<ToolEnd, "result" | "activates" | "loads" | "warnings">

/** Shows a result to the hooks and ends the call, for work that already has its turn in the queue. `gathered`: earlier effects. */
export async function endCallNow(
  drive: Drive,
  call: OpenCall,
  end: CallEnd,
  gathered: HookEffects,
): Promise<void> {
  await afterHooks(drive, call, end, gathered)
  if (drive.isReleased && drive.state.hooks.length > 0) return
  const hooks = toHookRecord(gathered)
  await drive.recorder.record(
    { type: "tool-end", call: call.id, ...end, ...(Object.keys(hooks).length > 0 && { hooks }) },
    chargeForUsage(end.result),
  )
}

const replaceProblem = ({ spawns = [] }: AfterVerdict): string | undefined =>
  spawns.every(({ mode }) => mode === "before" || mode === "background")
    ? undefined
    : "the call has already run, so no agent can replace it; use `before` or `background`"

/** The agent's hooks. If they cannot be read, none is asked here; before the next call they block. */
export async function readCurrentHooks(
  environment: Drive["environment"],
  agent: Agent,
): Promise<readonly Hook[]> {
  try {
    return await listAgentHooks(environment, agent)
  } catch {
    return []
  }
}

const blockWith = (reason: string, hook?: string): HookJudgement => ({
  verdict: { type: "block", reason },
  ...(hook !== undefined && { hook }),
})

function hookedCall(
  drive: Drive,
  { id, tool, accesses }: OpenCall,
  input: HookCall["input"],
  newVariables: JsonMap,
): HookCall {
  const aliases = drive.environment.tools.get(tool)?.aliases
  const subagent = accesses?.find((access) => access.type === "agent")?.name
  return {
    ...describeRunForHooks(drive, newVariables),
    call: id,
    tool,
    input,
    ...(aliases && { aliases }),
    ...(subagent !== undefined && { subagent }),
  }
}
