import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { JsonMap } from "../../ground/message.ts"
import { matches } from "../../ground/patterns/stars.ts"
import type { AfterVerdict, Hook } from "../../run/ports/hook.ts"
import type { EndedCall, HookActions, HookedCall, HookVerdict } from "../../run/ports/hooked.ts"
import { argumentsOf, rewritten } from "./arguments.ts"
import { compileMoment } from "./compile-moment.ts"
import { askOne, besides, placeOf } from "./effects.ts"
import { type CallEvent, isCallEvent } from "./event-names.ts"
import { isFor, isGateAt, type LifecycleHook } from "./hook.ts"
import { mcpCallOf } from "./mcp-call.ts"
import { isFoundIn, type NamePattern } from "./name-pattern.ts"

/** A hook as a run asks it. */
export function compileHook(hook: LifecycleHook): Hook {
  const spawns = hook.effects.flatMap((effect) => (effect.type === "spawn_agent" ? [effect.agent] : []))
  const named = {
    name: hook.name,
    ...(spawns.length > 0 && { spawns }),
    ...(hook.effects.some(({ type }) => type === "run") && { commands: true as const }),
  }
  const { event } = hook
  if (!isCallEvent(event)) return { ...named, at: compileMoment(hook, event) }
  if (event === "after_tool")
    return {
      ...named,
      after: async (call, _signal, actions) => feedback(await judge(hook, event, call, actions)),
    }
  return { ...named, judge: (call, _signal, actions) => judge(hook, event, call, actions) }
}

/** Asks one hook about a call that is to run. */
export const judgeCall = (
  hook: LifecycleHook,
  call: HookedCall,
  actions: HookActions,
): Promise<HookVerdict> => judge(hook, "before_tool", call, actions)

async function judge(
  hook: LifecycleHook,
  event: CallEvent,
  call: HookedCall,
  actions: HookActions,
): Promise<HookVerdict> {
  const tool = canonicalName(call.tool)
  if (!isAsked(event, tool, call) || !isFor(hook, { tool, agent: call.agent }) || !isMeant(hook, tool, call))
    return pass
  const offered = offeredBy(event, call, tool)
  const wanted = await askOne(hook, {
    offered,
    cwd: call.cwd,
    actions,
    told: ({ input }) => ({
      ...offered,
      hook_event_name: hook.alias ?? (event === "after_tool" ? "PostToolUse" : "PreToolUse"),
      ...(event === "after_tool" && { tool_response: offered.result ?? null }),
      session_id: call.run,
      tool_use_id: call.call,
      cwd: call.cwd,
      tool_input: { ...argumentsOf(call), ...input },
    }),
  })
  if (!wanted) return pass
  if ("problem" in wanted) return failed(hook, wanted.problem)
  if (wanted.reason !== undefined) return { type: "block", reason: wanted.reason }
  const { input } = wanted
  return {
    ...(Object.keys(input).length > 0
      ? { type: "rewrite", arguments: JSON.stringify(rewritten(call, input)) }
      : pass),
    ...besides(wanted),
  }
}

const pass: HookVerdict = { type: "pass" }

/** What has happened cannot be blocked: the model is told the reason. */
const feedback = (verdict: HookVerdict): AfterVerdict =>
  verdict.type === "block" ? { context: [verdict.reason] } : (verdict as AfterVerdict)

/** What keeps a call from running, or is to come before it, blocks where it cannot tell; anything else is passed over. */
const failed = (hook: LifecycleHook, problem: string): HookVerdict =>
  isGateAt(hook)
    ? { type: "block", reason: `the hook "${hook.name}" cannot judge it: ${problem}` }
    : { type: "pass", problems: [problem] }

/** What is handed to another agent is a call, too, whatever a program calls its tool. */
const isAsked = (event: CallEvent, tool: string, { subagent }: HookedCall): boolean =>
  event !== "before_spawn" || tool === "Agent" || subagent !== undefined

/** Whether a hook that is for tools of servers, or for some commands, is for a call. What is too long to look at is meant. */
function isMeant({ mcpTools, commands }: LifecycleHook, tool: string, call: HookedCall): boolean {
  const mcp = mcpTools && mcpCallOf(call.tool, call.input)
  if (mcpTools && !(mcp && mcpTools.some((name) => matches(name, `${mcp.server}:${mcp.tool}`)))) return false
  if (!commands || tool !== "Bash") return true
  const command = String(argumentsOf(call).command ?? "")
  const { found, without } = commands
  // To Python a text also ends before its last line break.
  const isFound = (pattern: NamePattern) =>
    [command, command.replace(/\n$/, "")].some((text) => isFoundIn(pattern, text) !== "no")
  return (!found || isFound(found)) && !(without && isFoundIn(without, command) === "yes")
}

function offeredBy(event: CallEvent, call: HookedCall | EndedCall, tool: string): JsonMap {
  const { agent, run, depth, parent = null, task, turn } = call
  const input = argumentsOf(call)
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
    ...(event === "before_spawn" && { subagent: call.subagent ?? null }),
    ...("result" in call && { status: call.status, result: call.result }),
  }
}

function canonicalName(tool: string): string {
  const known = lookUpTool(tool)
  return known.type === "equivalent" ? known.name : tool
}
