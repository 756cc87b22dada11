import type { JsonMap } from "../agent.ts"
import { lookUpTool } from "../catalogue/look-up.ts"
import { holds } from "../expression/condition.ts"
import type { Json } from "../message.ts"
import type {
  AfterVerdict,
  EndedCall,
  Hook,
  HookActions,
  HookedCall,
  HookedRun,
  HookVerdict,
} from "../run/environment.ts"
import { renderTemplate, type Template } from "../template/index.ts"
import { commandVerdict } from "./command.ts"
import type { LifecycleEvent } from "./event-names.ts"
import type { HookEffect, LifecycleHook, Value } from "./hook.ts"

/** A hook as a run asks it. */
export function compileHook(hook: LifecycleHook): Hook {
  const spawns = hook.effects.flatMap((effect) => (effect.type === "spawn_agent" ? [effect.agent] : []))
  return {
    name: hook.name,
    ...(spawns.length > 0 && { spawns }),
    judge: async (call, _signal, actions) =>
      hook.event === "after_tool" ? pass : judge(hook, call, actions),
    ...(hook.event === "after_tool" && {
      after: async (call: EndedCall, _signal: AbortSignal, actions: HookActions) =>
        feedback(await judge(hook, call, actions)),
    }),
  }
}

async function judge(hook: LifecycleHook, call: HookedCall, actions: HookActions): Promise<HookVerdict> {
  const tool = canonicalName(call.tool)
  if (!isAsked(hook.event, tool) || (hook.tools && !hook.tools.includes(tool))) return pass
  const offered = offeredBy(hook.event, call, tool)
  const answer = hook.when ? holds(hook.when, offered) : { type: "value" as const, isTrue: true }
  if (answer.type === "failed") return failed(hook, `its \`when\` failed: ${answer.problem.message}`)
  return answer.isTrue ? effected(hook, call, offered, actions) : pass
}

const pass: HookVerdict = { type: "pass" }

/** What has happened cannot be blocked: the model is told the reason. */
const feedback = (verdict: HookVerdict): AfterVerdict =>
  verdict.type === "block" ? { context: [verdict.reason] } : (verdict as AfterVerdict)

/** In the order in which they are written; nothing comes after what blocks. */
async function effected(
  hook: LifecycleHook,
  call: HookedCall,
  offered: JsonMap,
  actions: HookActions,
): Promise<HookVerdict> {
  const wanted: Wanted = { variables: {}, context: [], spawns: [], input: {}, problems: [] }
  for (const effect of hook.effects) {
    const problem =
      effect.type === "run"
        ? await runFor(effect, wanted, offered, call, actions)
        : want(effect, wanted, offered)
    if (problem !== undefined) return failed(hook, `its \`${effect.type}\` failed: ${problem}`)
    if (wanted.reason !== undefined) return { type: "block", reason: wanted.reason }
  }
  const { variables, context, spawns, input, problems } = wanted
  return {
    ...(Object.keys(input).length > 0
      ? { type: "rewrite", arguments: JSON.stringify({ ...call.input, ...input }) }
      : pass),
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(context.length > 0 && { context }),
    ...(spawns.length > 0 && { spawns }),
    ...(problems.length > 0 && { problems }),
  }
}

/** What a command is told on its input, in the words of Claude Code and in ours. */
async function runFor(
  { command, timeout }: HookEffect & { type: "run" },
  wanted: Wanted,
  offered: JsonMap,
  { run, call, cwd, input }: HookedCall,
  actions: HookActions,
): Promise<string | undefined> {
  const told = {
    ...offered,
    hook_event_name: offered.event === "after_tool" ? "PostToolUse" : "PreToolUse",
    ...(offered.event === "after_tool" && { tool_response: offered.result ?? null }),
    session_id: run,
    tool_use_id: call,
    cwd,
    tool_input: { ...input, ...wanted.input },
  }
  const verdict = commandVerdict(
    await actions.command(command, {
      input: JSON.stringify(told),
      ...(timeout !== undefined && { timeout }),
    }),
  )
  if (verdict.type === "block") wanted.reason = verdict.reason
  else {
    if (verdict.context !== undefined) wanted.context.push(verdict.context)
    if (verdict.problem !== undefined) wanted.problems.push(verdict.problem)
    Object.assign(wanted.input, verdict.input)
  }
  return undefined
}

export interface Wanted {
  reason?: string
  readonly variables: Record<string, Json>
  readonly context: string[]
  readonly spawns: NonNullable<HookVerdict["spawns"]>[number][]
  readonly input: Record<string, Json>
  readonly problems: string[]
}

/** Adds what an effect comes to; or says why it comes to nothing. */
export function want(
  effect: Exclude<HookEffect, { type: "run" }>,
  wanted: Wanted,
  offered: JsonMap,
): string | undefined {
  switch (effect.type) {
    case "block": {
      const reason = filled(effect.reason, offered)
      if (typeof reason === "object") return reason.problem
      wanted.reason = reason
      return undefined
    }
    case "spawn_agent": {
      const { agent, prompt, mode, variables } = effect
      const task = filled(prompt, offered)
      if (typeof task === "object") return task.problem
      if (task.trim() === "") return "its prompt is empty"
      wanted.spawns.push({ agent, task, mode, ...(variables && { variables }) })
      return undefined
    }
    case "set_variable":
      return put(wanted.variables, effect.name, effect.value, offered)
    case "inject_context": {
      const text = filled(effect.text, offered)
      if (typeof text === "object") return text.problem
      wanted.context.push(text)
      return undefined
    }
    case "rewrite_input":
      for (const [name, value] of effect.input) {
        const problem = put(wanted.input, name, value, offered)
        if (problem !== undefined) return problem
      }
      return undefined
  }
}

function put(into: Record<string, Json>, name: string, value: Value, offered: JsonMap): string | undefined {
  const given = value.type === "literal" ? value.value : filled(value, offered)
  if (value.type === "template" && typeof given === "object") return (given as Unfilled).problem
  Object.defineProperty(into, name, { value: given, enumerable: true, configurable: true, writable: true })
  return undefined
}

interface Unfilled {
  readonly problem: string
}

function filled(template: Template, offered: JsonMap): string | Unfilled {
  const rendered = renderTemplate(template, offered, { characters: 100_000 })
  return rendered.type === "text" ? rendered.text : { problem: rendered.problem.message }
}

/** What keeps a call from running, or is to come before it, blocks where it cannot tell; anything else is passed over. */
function failed({ effects, name, event }: LifecycleHook, problem: string): HookVerdict {
  if (event === "after_tool") return { type: "pass", problems: [problem] }
  const isGate = effects.some(
    (effect) =>
      effect.type === "block" ||
      effect.type === "run" ||
      (effect.type === "spawn_agent" && effect.mode !== "background"),
  )
  return isGate
    ? { type: "block", reason: `the hook "${name}" cannot judge it: ${problem}` }
    : { type: "pass", problems: [problem] }
}

/** What is handed to another agent is a call, too. */
const isAsked = (event: LifecycleEvent, tool: string): boolean => event !== "before_spawn" || tool === "Agent"

function offeredBy(event: LifecycleEvent, call: HookedCall | EndedCall, tool: string): JsonMap {
  const { agent, run, depth, parent = null, task, turn, input } = call
  const subagent = [input.agent, input.subagent_type, input.type, input.subagent].find(
    (name) => typeof name === "string",
  )
  return {
    event,
    agent,
    run,
    depth,
    parent,
    task,
    turn,
    ...placeOf(call),
    tool_name: tool,
    tool_input: input,
    command: input.command ?? null,
    ...(event === "before_spawn" && { subagent: subagent ?? null }),
    ...("result" in call && { status: call.status, result: call.result }),
  }
}

/** What a run has, and where it is in its workflow. */
const placeOf = ({ variables, step }: HookedRun): JsonMap => ({
  variables,
  vars: variables,
  workflow: step?.workflow ?? null,
  step: step?.name ?? null,
  current_step: step?.name ?? null,
})

function canonicalName(tool: string): string {
  const known = lookUpTool(tool)
  return known.type === "equivalent" ? known.name : tool
}
