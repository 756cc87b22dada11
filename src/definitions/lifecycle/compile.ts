import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { JsonMap } from "../../ground/message.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import type { AfterVerdict, Hook } from "../../run/ports/hook.ts"
import type { FinishedCall, HookActions, HookCall, HookVerdict } from "../../run/ports/hooked.ts"
import { gatherArguments, rewriteArguments } from "./arguments.ts"
import { compileMoment } from "./compile-moment.ts"
import { getEffectsBesideVerdict, runHook, runNames } from "./effects.ts"
import { type CallEvent, isCallEvent } from "./event-names.ts"
import { isFor, isGateAt, type LifecycleHook } from "./hook.ts"
import { readMcpCall } from "./mcp-call.ts"
import { isFoundIn, type NamePattern } from "./name-pattern.ts"

/** Compiles a hook for runs. */
export function compileHook(hook: LifecycleHook): Hook {
  const spawns = hook.effects.flatMap((effect) => (effect.type === "spawn_agent" ? [effect.agent] : []))
  const base = {
    name: hook.name,
    ...(spawns.length > 0 && { spawns }),
    ...(hook.effects.some(({ type }) => type === "run") && { commands: true as const }),
  }
  const { event } = hook
  if (!isCallEvent(event)) return { ...base, at: compileMoment(hook, event) }
  if (event === "after_tool")
    return {
      ...base,
      after: async (call, _signal, actions) => feedback(await judge(hook, event, call, actions)),
    }
  return { ...base, judge: (call, _signal, actions) => judge(hook, event, call, actions) }
}

/** Asks one hook about a call before it runs. */
export const judgeCall = (hook: LifecycleHook, call: HookCall, actions: HookActions): Promise<HookVerdict> =>
  judge(hook, "before_tool", call, actions)

async function judge(
  hook: LifecycleHook,
  event: CallEvent,
  call: HookCall,
  actions: HookActions,
): Promise<HookVerdict> {
  const tool = canonicalName(call.tool)
  if (!isAsked(event, tool, call) || !isFor(hook, { tool, agent: call.agent }) || !isMeant(hook, tool, call))
    return pass
  const offered = offeredBy(event, call, tool)
  const result = await runHook(hook, {
    offered,
    cwd: call.cwd,
    actions,
    commandInput: ({ input }) => ({
      ...offered,
      hook_event_name: hook.alias ?? (event === "after_tool" ? "PostToolUse" : "PreToolUse"),
      ...(event === "after_tool" && { tool_response: offered.result ?? null }),
      session_id: call.run,
      tool_use_id: call.call,
      cwd: call.cwd,
      tool_input: { ...gatherArguments(call), ...input },
    }),
  })
  if (!result) return pass
  if ("problem" in result) return verdictOfFailure(hook, result.problem)
  if (result.reason !== undefined) return { type: "block", reason: result.reason }
  const { input } = result
  return {
    ...(Object.keys(input).length > 0
      ? { type: "rewrite", arguments: JSON.stringify(rewriteArguments(call, input)) }
      : pass),
    ...getEffectsBesideVerdict(result),
  }
}

const pass: HookVerdict = { type: "pass" }

/** A call that has run cannot be blocked, so the model only gets the reason. */
const feedback = (verdict: HookVerdict): AfterVerdict =>
  verdict.type === "block" ? { context: [verdict.reason] } : (verdict as AfterVerdict)

/** The verdict of a hook that failed. A gate blocks when it cannot judge; any other hook passes and reports the problem. */
const verdictOfFailure = (hook: LifecycleHook, problem: string): HookVerdict =>
  isGateAt(hook)
    ? { type: "block", reason: `the hook "${hook.name}" could not judge it: ${problem}` }
    : { type: "pass", problems: [problem] }

/** `before_spawn` applies to every call that delegates, even if a program gives its tool another name. */
const isAsked = (event: CallEvent, tool: string, { subagent }: HookCall): boolean =>
  event !== "before_spawn" || tool === "Agent" || subagent !== undefined

/** True if a call matches the hook's MCP tools and commands. A command that is too long to search also matches. */
function isMeant({ mcpTools, commands }: LifecycleHook, tool: string, call: HookCall): boolean {
  const mcp = mcpTools && readMcpCall(call.tool, call.input)
  if (mcpTools && !(mcp && mcpTools.some((name) => matchesStars(name, `${mcp.server}:${mcp.tool}`))))
    return false
  if (!commands || tool !== "Bash") return true
  const command = String(gatherArguments(call).command ?? "")
  const { found, without } = commands
  // In Python's patterns, `$` also matches before the last line break.
  const isFound = (pattern: NamePattern) =>
    [command, command.replace(/\n$/, "")].some((text) => isFoundIn(pattern, text) !== "no")
  return (!found || isFound(found)) && !(without && isFoundIn(without, command) === "yes")
}

function offeredBy(event: CallEvent, call: HookCall | FinishedCall, tool: string): JsonMap {
  const { agent, run, depth, parent = null, task, turn } = call
  const input = gatherArguments(call)
  return {
    event,
    agent,
    run,
    depth,
    parent,
    task,
    turn,
    ...runNames(call),
    tool_name: tool,
    tool_input: input,
    command: input.command ?? null,
    ...(event === "before_spawn" && { subagent: call.subagent ?? null }),
    ...("result" in call && { status: call.status, result: call.result }),
  }
}

function canonicalName(tool: string): string {
  const knownTool = lookUpTool(tool)
  return knownTool.type === "equivalent" ? knownTool.name : tool
}
