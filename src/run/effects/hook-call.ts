import type { Agent } from "../../agent/agent.ts"
import { messageOf } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { parseArguments } from "../begin/inspect.ts"
import type { CallResult, HookEnd, ToolEnd, Verdict } from "../log/event.ts"
import { settling } from "../log/tool-usage.ts"
import type { Signalled } from "../ports/effect.ts"
import type { AfterVerdict, Hook } from "../ports/hook.ts"
import type { HookedCall, HookVerdict } from "../ports/hooked.ts"
import { accessesOf } from "../rights/accesses.ts"
import { hookedAgent, hooksOf } from "../rights/hooks.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { type Gathered, gather, hookedRun, isOfItsOwn, nothingGathered, recordOf } from "./gathered.ts"
import { actionsOf, withoutCommands } from "./hook-actions.ts"

/** What all hooks of a call came to. */
export type Judgement = Omit<HookEnd, "type" | "call">

/** Puts a call before the run's hooks, in order, and records what they came to. What fails to judge, blocks. */
export async function judgeHooks(drive: Drive, call: OpenCall, work = call.id): Promise<void> {
  const { environment, state } = drive
  if (state.hooks.every((name) => environment.hooks.has(name))) return judgeNow(drive, call, work)
  return oneByOne(drive, () => judgeNow(drive, call, work))
}

/** What is written down may set variables: whoever is asked later must find what an earlier one left. */
export function oneByOne(drive: Drive, work: () => Promise<void>): Promise<void> {
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
  if (drive.stopped) return
  const settled = await drive.run(work, (running) => judgementOf(drive, call, running), {
    timeout: drive.state.start!.limits.toolTimeout,
  })
  if (drive.stopped) return
  const judgement: Judgement =
    settled.type === "value"
      ? settled.value
      : blocked(`a hook failed: ${settled.type === "error" ? messageOf(settled.error) : settled.aborted}`)
  await drive.recorder.record({ type: "hook-end", call: call.id, ...judgement })
}

export async function judgementOf(
  drive: Drive,
  call: OpenCall,
  running: Signalled,
  names = drive.state.hooks,
): Promise<Judgement> {
  const { state, environment, definition } = drive
  const known = await hooksOf(environment, hookedAgent(definition.agent, state))
  const gathered = nothingGathered()
  // Nobody is spawned for a call that does not run; what earlier hooks set and told stays.
  const block = (reason: string, hook?: string): Judgement => ({
    ...blocked(reason, hook),
    ...recordOf({ ...gathered, spawns: [] }),
  })
  let { arguments: text, accesses } = call
  let rewritten = 0
  const ask = (name: string) =>
    askHook(drive, known, name, { ...call, arguments: text, accesses }, gathered.variables, running)
  for (const [index, name] of names.entries()) {
    const asked = await ask(name)
    if (!asked) continue
    if ("problem" in asked) return block(asked.problem, asked.by)
    const { hook, verdict } = asked
    const wrong = gather(drive, hook, verdict, gathered)
    if (wrong !== undefined) return block(`hook "${name}" ${wrong}`, name)
    if (verdict.type === "pass") continue
    const parsed = parseArguments(verdict.arguments)
    const valid =
      "problem" in parsed ? parsed : ((await definition.validate(call.tool)?.(parsed.value)) ?? parsed)
    if ("problem" in valid)
      return block(`hook "${name}" rewrote the arguments wrongly: ${valid.problem}`, name)
    text = verdict.arguments
    // As the tool will have it: the rules, and later hooks, judge it as if the model had asked for it.
    accesses = await accessesOf(environment, call.tool, valid.value, state.run, state.start!)
    rewritten = index
  }
  // Those before it have seen other arguments. What they would not let pass does not; else they have had their say.
  for (const name of names.slice(0, rewritten)) {
    const asked = await ask(name)
    if (asked && "problem" in asked) return block(asked.problem, asked.by)
  }
  const verdict: Verdict =
    text === call.arguments
      ? { type: "pass" }
      : { type: "rewrite", arguments: text, ...(accesses && { accesses }) }
  return { verdict, ...recordOf(gathered) }
}

/** What a hook makes of a call as it is now, or why the call does not pass; nothing where it is not asked. */
async function askHook(
  drive: Drive,
  known: readonly Hook[],
  name: string,
  call: OpenCall,
  written: JsonMap,
  running: Signalled,
): Promise<
  | { readonly hook: Hook; readonly verdict: Exclude<HookVerdict, { type: "block" }> }
  | { readonly problem: string; readonly by?: string }
  | undefined
> {
  const hook = known.find((one) => one.name === name)
  if (!hook) return { problem: `hook "${name}" is no longer registered` }
  if (!hook.judge || isOfItsOwn(drive, hook)) return undefined
  const parsed = parseArguments(call.arguments)
  if ("problem" in parsed) return parsed
  const asked = hookedCall(drive, call, parsed.value as { [name: string]: Json }, written)
  const verdict = await hook.judge(asked, running.signal, actionsOf(drive, call, hook, running))
  switch (verdict.type) {
    case "pass":
    case "rewrite":
      return { hook, verdict }
    case "block":
      return { problem: String(verdict.reason ?? "no reason was given"), by: name }
    default:
      return { problem: `hook "${name}" gave no verdict that is known`, by: name }
  }
}

/** Shows the result of a call to the run's hooks. What goes wrong is told: the call has happened. */
async function afterHooks(
  drive: Drive,
  call: OpenCall,
  { result: { status, text: result }, activates }: CallEnd,
  gathered: Gathered,
): Promise<void> {
  const { state, environment, definition } = drive
  if (state.hooks.length === 0) return
  const known = await hookList(environment, hookedAgent(definition.agent, state))
  const wanted = known.filter(({ name, after }) => after && state.hooks.includes(name))
  if (wanted.length === 0) return
  const parsed = parseArguments(call.arguments)
  const input = ("value" in parsed ? parsed.value : {}) as HookedCall["input"]
  for (const hook of wanted) {
    if (drive.stopped || isOfItsOwn(drive, hook)) continue
    const isLost = call.hooking !== undefined
    if (isLost && !hook.binds) {
      gathered.problems.push(`${hook.name}: it had seen a result of this call before the process died`)
      continue
    }
    const settled = await drive.run(
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
            ? withoutCommands(actionsOf(drive, call, hook, running))
            : actionsOf(drive, call, hook, running),
        ),
      { timeout: state.start!.limits.toolTimeout },
    )
    const wrong =
      settled.type === "value"
        ? (replacing(settled.value) ?? gather(drive, hook, settled.value, gathered))
        : settled.type === "error"
          ? messageOf(settled.error)
          : settled.aborted
    if (wrong !== undefined) gathered.problems.push(`${hook.name}: ${wrong}`)
  }
}

/** Shows a result to the hooks, one after the other as they are asked, and ends the call. */
export function endHooked(
  drive: Drive,
  call: OpenCall,
  result: CallResult,
  warnings?: ToolEnd["warnings"],
): Promise<void> {
  const { environment, state } = drive
  const end = () => endNow(drive, call, { result, ...(warnings && { warnings }) }, nothingGathered())
  return state.hooks.every((name) => environment.hooks.has(name)) ? end() : oneByOne(drive, end)
}

type CallEnd = Pick<ToolEnd, "result" | "activates" | "warnings">

/** The same for whoever has its turn already, with what came of the call before any hook saw its result. */
export async function endNow(drive: Drive, call: OpenCall, end: CallEnd, gathered: Gathered): Promise<void> {
  await afterHooks(drive, call, end, gathered)
  const hooks = recordOf(gathered)
  await drive.recorder.record(
    { type: "tool-end", call: call.id, ...end, ...(Object.keys(hooks).length > 0 && { hooks }) },
    settling(end.result),
  )
}

const replacing = ({ spawns = [] }: AfterVerdict): string | undefined =>
  spawns.every(({ mode }) => mode === "before" || mode === "background")
    ? undefined
    : "the call has run, so no agent can take its place; one can come before the next turn or in the background"

/** Where they can no longer be told there are none to ask; before the next call they block. */
export async function hookList(environment: Drive["environment"], agent: Agent): Promise<readonly Hook[]> {
  try {
    return await hooksOf(environment, agent)
  } catch {
    return []
  }
}

const blocked = (reason: string, hook?: string): Judgement => ({
  verdict: { type: "block", reason },
  ...(hook !== undefined && { hook }),
})

function hookedCall(
  drive: Drive,
  { id, tool, accesses }: OpenCall,
  input: HookedCall["input"],
  written: JsonMap,
): HookedCall {
  const aliases = drive.environment.tools.get(tool)?.aliases
  const subagent = accesses?.find((access) => access.type === "agent")?.name
  return {
    ...hookedRun(drive, written),
    call: id,
    tool,
    input,
    ...(aliases && { aliases }),
    ...(subagent !== undefined && { subagent }),
  }
}
