import type { Agent, JsonMap } from "../agent.ts"
import { messageOf } from "../errors.ts"
import type { Json } from "../message.ts"
import { variablesProblem } from "../variable.ts"
import { accessesOf } from "./accesses.ts"
import type { Drive } from "./drive.ts"
import type { Signalled } from "./effect.ts"
import type { Hook, HookedCall, HookVerdict } from "./environment.ts"
import type { CallResult, HookEnd, HookSpawn, RunStart, ToolEnd, Verdict } from "./event.ts"
import { hookCommand } from "./hook-command.ts"
import { guardOf } from "./hook-guard.ts"
import { hooksOf } from "./hooks.ts"
import { parseArguments } from "./inspect.ts"
import type { OpenCall } from "./state.ts"

/** What all hooks of a call came to. */
export type Judgement = Omit<HookEnd, "type" | "call">

/** Puts a call before the run's hooks, in order, and records what they came to. What fails to judge, blocks. */
export async function judgeHooks(drive: Drive, call: OpenCall): Promise<void> {
  const { environment, state } = drive
  if (state.hooks.every((name) => environment.hooks.has(name))) return judgeNow(drive, call)
  // What is written down may set variables: a later call must find what an earlier one left.
  const before = lastOf.get(drive)
  const now = (async () => {
    await before?.catch(() => {})
    await judgeNow(drive, call)
  })()
  lastOf.set(drive, now)
  return now
}

const lastOf = new WeakMap<Drive, Promise<void>>()

async function judgeNow(drive: Drive, call: OpenCall): Promise<void> {
  if (drive.stopped) return
  const settled = await drive.run(call.id, (running) => judgementOf(drive, call, running), {
    timeout: drive.state.start!.limits.toolTimeout,
  })
  if (drive.stopped) return
  const judgement: Judgement =
    settled.type === "value"
      ? settled.value
      : blocked(`a hook failed: ${settled.type === "error" ? messageOf(settled.error) : settled.aborted}`)
  await drive.recorder.record({ type: "hook-end", call: call.id, ...judgement })
}

export async function judgementOf(drive: Drive, call: OpenCall, running: Signalled): Promise<Judgement> {
  const { state, environment, definition } = drive
  const start = state.start!
  const known = await hooksOf(environment, definition.agent)
  const gathered: Gathered = { variables: {}, context: [], spawns: [], problems: [] }
  let text = call.arguments
  let checked: { readonly value: unknown } | undefined
  for (const name of state.hooks) {
    const hook = known.find((one) => one.name === name)
    if (!hook) return blocked(`hook "${name}" is no longer registered`)
    if (isOfItsOwn(drive, hook, start)) continue
    const parsed = parseArguments(text)
    if ("problem" in parsed) return blocked(parsed.problem)
    const input = parsed.value as { [name: string]: Json }
    const asked = hookedCall(drive, call, input, gathered.variables)
    const verdict = await hook.judge(asked, running.signal, {
      command: (line, options) => hookCommand(drive, call, name, line, options, running),
    })
    if (verdict.type === "block")
      return { ...blocked(String(verdict.reason ?? "no reason was given"), name), ...problemsOf(gathered) }
    const wrong = gather(drive, hook, verdict, gathered)
    if (wrong !== undefined) return blocked(`hook "${name}" ${wrong}`, name)
    if (verdict.type === "pass") continue
    if (verdict.type !== "rewrite") return blocked(`hook "${name}" gave no verdict that is known`, name)
    const rewritten = parseArguments(verdict.arguments)
    const valid =
      "problem" in rewritten
        ? rewritten
        : ((await definition.validate(call.tool)?.(rewritten.value)) ?? rewritten)
    if ("problem" in valid)
      return blocked(`hook "${name}" rewrote the arguments wrongly: ${valid.problem}`, name)
    checked = valid
    text = verdict.arguments
  }
  return { verdict: await verdictOn(drive, call, text, checked), ...recordOf(gathered) }
}

/** Shows the result of a call to the run's hooks. What goes wrong is told: the call has happened. */
export async function afterHooks(
  drive: Drive,
  call: OpenCall,
  { status, text: result }: CallResult,
): Promise<Pick<ToolEnd, "hooks">> {
  const { state, environment, definition } = drive
  if (state.hooks.length === 0) return {}
  const known = await hookList(environment, definition.agent)
  const wanted = known.filter(({ name, after }) => after && state.hooks.includes(name))
  if (wanted.length === 0) return {}
  const gathered: Gathered = { variables: {}, context: [], spawns: [], problems: [] }
  const parsed = parseArguments(call.arguments)
  const input = ("value" in parsed ? parsed.value : {}) as HookedCall["input"]
  for (const hook of wanted) {
    if (drive.stopped || isOfItsOwn(drive, hook, state.start!)) continue
    if (call.hooking !== undefined) {
      gathered.problems.push(`${hook.name}: it had seen a result of this call before the process died`)
      continue
    }
    const settled = await drive.run(
      call.id,
      (running) =>
        hook.after!(
          { ...hookedCall(drive, call, input, gathered.variables), status, result },
          running.signal,
          { command: (line, options) => hookCommand(drive, call, hook.name, line, options, running) },
        ),
      { timeout: state.start!.limits.toolTimeout },
    )
    if (settled.type === "value") gather(drive, hook, { type: "pass", ...settled.value }, gathered)
    else
      gathered.problems.push(
        `${hook.name}: ${settled.type === "error" ? messageOf(settled.error) : settled.aborted}`,
      )
  }
  const { spawns: _, ...hooks } = recordOf(gathered)
  return Object.keys(hooks).length > 0 ? { hooks } : {}
}

/** Where they can no longer be told there are none to ask; before the next call they block. */
async function hookList(environment: Drive["environment"], agent: Agent): Promise<readonly Hook[]> {
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

/** What hooks that did not block wanted so far. */
interface Gathered {
  variables: JsonMap
  readonly context: string[]
  readonly spawns: HookSpawn[]
  readonly problems: string[]
}

/** Takes over what a hook wants besides its verdict; or says what is wrong with it. */
function gather(
  { environment, state }: Drive,
  { name, spawns: declared = [] }: Hook,
  { variables = {}, context = [], spawns = [], problems = [] }: HookVerdict,
  gathered: Gathered,
): string | undefined {
  const undeclared = spawns.find(({ agent }) => !declared.includes(agent))
  if (undeclared) return `hands the call to ${undeclared.agent}, which it does not name in its \`spawns\``
  gathered.problems.push(...problems.map((problem) => `${name}: ${problem}`))
  gathered.context.push(...context)
  // One agent can take the place of a call: what would come after it has no call to come before.
  if (gathered.spawns.at(-1)?.mode !== "replace")
    gathered.spawns.push(...spawns.map((spawn) => ({ ...spawn, hook: name })))
  const locked = environment.variables.locked.find((locked) => Object.hasOwn(variables, locked))
  const problem =
    locked === undefined
      ? variablesProblem({ ...state.variables, ...gathered.variables, ...variables })
      : `the variable ${JSON.stringify(locked)} is locked by the user's configuration`
  if (problem === undefined) gathered.variables = { ...gathered.variables, ...variables }
  else gathered.problems.push(`${name}: ${problem}`)
  return undefined
}

const recordOf = ({ variables, context, spawns, ...rest }: Gathered): Omit<Judgement, "verdict"> => ({
  ...(Object.keys(variables).length > 0 && { variables }),
  ...(context.length > 0 && { context }),
  ...(spawns.length > 0 && { spawns }),
  ...problemsOf(rest),
})

const problemsOf = ({ problems }: Pick<Gathered, "problems">): Pick<Judgement, "problems"> =>
  problems.length > 0 ? { problems } : {}

const isOfItsOwn = ({ environment }: Drive, hook: Hook, start: RunStart): boolean =>
  guardOf(environment.agents, hook, start) !== undefined

const hookedCall = (
  { state }: Drive,
  { id, tool }: OpenCall,
  input: HookedCall["input"],
  written: JsonMap,
): HookedCall => {
  const { agent, depth, caller, task, cwd } = state.start!
  return {
    run: state.run,
    agent,
    depth,
    ...(caller && { parent: caller.run }),
    task,
    turn: state.turn,
    cwd,
    call: id,
    tool,
    input,
    variables: { ...state.variables, ...written },
  }
}

/** What was rewritten is judged by the rules as if the model had asked for it. */
async function verdictOn(
  { environment, state }: Drive,
  call: OpenCall,
  text: string,
  checked: { readonly value: unknown } | undefined,
): Promise<Verdict> {
  if (text === call.arguments || !checked) return { type: "pass" }
  // As the tool will have it: an argument may have several names.
  const accesses = await accessesOf(environment, call.tool, checked.value, state.run, state.start!)
  return { type: "rewrite", arguments: text, ...(accesses && { accesses }) }
}
