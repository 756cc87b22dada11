import type { Agent } from "../../agent/agent.ts"
import { executorToolName } from "../../agent/executor.ts"
import { isSearch } from "../begin/defer.ts"
import { findMissingTool, pinDefinition } from "../begin/definition.ts"
import { settleTools } from "../begin/grant.ts"
import { settleOffer } from "../begin/offer.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { ToolDenial } from "../ports/tool-denial.ts"
import { collectBindingSets, findDenial } from "../rights/find-denial.ts"
import { createGrantReader, isGranting, type ListVerdict } from "../rights/tool-list.ts"
import { submitName } from "../words/prompt.ts"

/** A tool, and what a run may do with it. */
export interface ExplainedTool {
  readonly name: string
  /**
   * `offered`: the model is told of it. `withheld`: the run has it, but the model is not told. `delegated`: the run may only
   * give it to its children. `missing`: the run does not have it.
   */
  readonly state: "offered" | "withheld" | "delegated" | "missing"
  readonly why: ToolReason
  /** The grants that `why` overrides. */
  readonly over: readonly ToolReason[]
}

export type ToolReason =
  | ListVerdict
  /** An entry of `delegates`. */
  | { readonly type: "delegates"; readonly by: string }
  /** The definition has a schema for the result. */
  | { readonly type: "result" }
  /** The depth limit is reached. */
  | { readonly type: "depth" }
  /** There are no runs or agents that the tool could act on. */
  | { readonly type: "nobody" }
  /** Rules of an agent above, or of the configuration, deny it. */
  | ({ readonly type: "taken" } & ToolDenial)
  /** The parent neither has the tool nor may delegate it. */
  | { readonly type: "not-of-parent" }
  /** The tool starts the program that runs the agent. */
  | { readonly type: "executor" }
  /** The `tools` of the call do not name it. */
  | { readonly type: "narrowed" }
  | { readonly type: "absent"; readonly reason: string }
  /** `foreign`: another host's tool, without an equivalent here. `unknown`: no host has it. */
  | { readonly type: "foreign" | "unknown" }

/** All tools of the runtime, then the other names that the definition lists. */
export function explainTools(
  environment: Environment,
  beginning: Beginning,
  start: Pick<RunStart, "rights" | "depth" | "limits">,
): readonly ExplainedTool[] {
  const { agent } = beginning
  const { tools } = environment
  const { available, granted, delegates, delegation } = settleTools(environment, beginning)
  const ruleSets = collectBindingSets(environment, beginning)
  if (agent.executor !== undefined) return [explainExecutor(granted)]
  const { tools: pinnedTools } = pinDefinition(
    agent,
    granted,
    tools,
    settleOffer(environment, beginning, { granted, ...start }),
  )
  const pinned = new Map(pinnedTools.map((tool) => [tool.name, tool]))
  const why = { type: start.depth >= start.limits.maxDepth ? "depth" : "nobody" } as const
  const grantOf = createGrantReader(agent, tools)
  const readUndenied = createGrantReader({ ...agent, tools: { ...agent.tools, deny: [] } }, tools)
  const readDelegates = createGrantReader(
    { tools: { mode: "list", allow: agent.delegates ?? [], deny: [] } },
    tools,
  )

  const isLeftOut = (name: string) => beginning.tools?.includes(name) === false

  function explainTool(name: string): ExplainedTool {
    const grant = grantOf(name)
    const overridden = [readUndenied(name)].filter(isGranting)
    const missing = (why: ToolReason, over: readonly ToolReason[] = overridden): ExplainedTool => ({
      name,
      state: "missing",
      why,
      over,
    })
    const offer = pinned.get(name)
    if (offer?.withheld) return { name, state: "withheld", why, over: overridden }
    if (offer) return { name, state: "offered", why: grant, over: [] }
    const delegate = readDelegates(name)
    if (delegates.includes(name) && "by" in delegate)
      return { name, state: "delegated", why: { type: "delegates", by: delegate.by }, over: [] }
    if (delegates.includes(name)) return { name, state: "delegated", why: grant, over: [] }
    // A denial does not matter for a tool that the definition does not ask for.
    if (delegation === "own" && grant.type === "unlisted") return missing(grant)
    const taker = delegation === "own" ? findDenial(ruleSets, name, environment.tools) : undefined
    if (taker) return missing({ type: "taken", ...taker })
    if (!isGranting(grant) && (available.includes(name) || isLeftOut(name))) return missing(grant)
    if (isLeftOut(name) || !beginning.parent) return missing({ type: "narrowed" })
    if (!available.includes(name)) return missing({ type: "not-of-parent" })
    return missing({ type: "narrowed" })
  }

  return [
    // Tools that are never offered to a model only matter where tools are delegated.
    ...[...tools.keys()]
      .filter((name) => delegation === "narrow" || !tools.get(name)!.unoffered)
      // A tool that searches is only a part of the others.
      .filter((name) => !(isSearch(tools.get(name)) && pinned.get(name)?.withheld))
      .map(explainTool),
    ...(pinned.has(submitName)
      ? [{ name: submitName, state: "offered", why: { type: "result" }, over: [] } as const]
      : []),
    ...explainMissing(agent, environment),
  ]
}

/** A program uses its own tools. The run only has the tool that starts the program. */
const explainExecutor = (granted: readonly string[]): ExplainedTool =>
  granted.includes(executorToolName)
    ? { name: executorToolName, state: "withheld", why: { type: "executor" }, over: [] }
    : { name: executorToolName, state: "missing", why: { type: "not-of-parent" }, over: [] }

/** The names in the definition that no tool here has, and the absent tools. */
function explainMissing(agent: Agent, environment: Environment): readonly ExplainedTool[] {
  const { absentTools } = environment
  const listed = agent.tools.allow.map((by) => ({ by, over: [{ type: "listed", by } as const] }))
  const otherEntries = [...agent.tools.deny, ...(agent.delegates ?? [])].map((by) => ({ by, over: [] }))
  const byName = new Map<string, ExplainedTool>()
  for (const { by, over } of [...listed, ...otherEntries]) {
    const missingName = findMissingTool(by, environment, agent)
    if (!missingName) continue
    const name = missingName.type === "absent" ? missingName.name : by
    const why: ToolReason =
      missingName.type === "absent"
        ? { type: "absent", reason: missingName.reason }
        : { type: missingName.type }
    if (!byName.has(name)) byName.set(name, { name, state: "missing", why, over })
  }
  for (const [name, reason] of Object.entries(absentTools))
    if (!byName.has(name))
      byName.set(name, { name, state: "missing", why: { type: "absent", reason }, over: [] })
  return [...byName.values()]
}
