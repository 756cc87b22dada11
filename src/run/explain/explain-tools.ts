import type { Agent } from "../../agent/agent.ts"
import { executorToolName } from "../../agent/executor.ts"
import { nameWithoutTool, pin } from "../begin/definition.ts"
import { settleTools } from "../begin/grant.ts"
import { offerOf } from "../begin/offer.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Taker } from "../ports/taker.ts"
import { bindingSets, takerOf } from "../rights/taken.ts"
import { type Grant, grantReader, isGrant } from "../rights/tool-list.ts"
import { submitName } from "../words/prompt.ts"

/** What becomes of a tool in a run. */
export interface ExplainedTool {
  readonly name: string
  /**
   * `offered`: the model is told of it. `withheld`: it is granted, and kept back. `delegated`: not for its own use, but to
   * give to its children. `missing`: the run has nothing of it.
   */
  readonly state: "offered" | "withheld" | "delegated" | "missing"
  readonly why: ToolReason
  /** What would have granted it. */
  readonly over: readonly ToolReason[]
}

export type ToolReason =
  | Grant
  /** An entry of `delegates`. */
  | { readonly type: "delegates"; readonly by: string }
  /** The definition wants a result of a certain shape. */
  | { readonly type: "result" }
  /** The depth limit is reached. */
  | { readonly type: "depth" }
  /** There are no runs that it could deal with. */
  | { readonly type: "nobody" }
  /** Rules above it, or the configuration's, deny it. */
  | ({ readonly type: "taken" } & Taker)
  /** The parent has it neither for itself nor to give. */
  | { readonly type: "not-of-parent" }
  /** A program runs the agent, and this starts it. */
  | { readonly type: "executor" }
  /** The call leaves it out. */
  | { readonly type: "narrowed" }
  | { readonly type: "absent"; readonly reason: string }
  /** Another host's, without an equivalent here; or nobody's. */
  | { readonly type: "foreign" | "unknown" }

/** Every tool there is here, and every one that the definition names, in this order. */
export function explainTools(
  environment: Environment,
  beginning: Beginning,
  start: Pick<RunStart, "rights" | "depth" | "limits">,
): readonly ExplainedTool[] {
  const { agent } = beginning
  const { tools } = environment
  const { available, granted, delegates, delegation } = settleTools(environment, beginning)
  const above = bindingSets(environment, beginning)
  if (agent.executor !== undefined) return [starting(granted)]
  const { tools: had } = pin(agent, granted, tools, offerOf(environment, beginning, { granted, ...start }))
  const pinned = new Map(had.map((tool) => [tool.name, tool]))
  const why = { type: start.depth >= start.limits.maxDepth ? "depth" : "nobody" } as const
  const grantOf = grantReader(agent, tools)
  const undenied = grantReader({ ...agent, tools: { ...agent.tools, deny: [] } }, tools)
  const given = grantReader({ tools: { mode: "list", allow: agent.delegates ?? [], deny: [] } }, tools)

  const isLeftOut = (name: string) => beginning.tools?.includes(name) === false

  function explained(name: string): ExplainedTool {
    const grant = grantOf(name)
    const wanted = [undenied(name)].filter(isGrant)
    const missing = (why: ToolReason, over: readonly ToolReason[] = wanted): ExplainedTool => ({
      name,
      state: "missing",
      why,
      over,
    })
    const offer = pinned.get(name)
    if (offer?.withheld) return { name, state: "withheld", why, over: wanted }
    if (offer) return { name, state: "offered", why: grant, over: [] }
    const gift = given(name)
    if (delegates.includes(name) && "by" in gift)
      return { name, state: "delegated", why: { type: "delegates", by: gift.by }, over: [] }
    if (delegates.includes(name)) return { name, state: "delegated", why: grant, over: [] }
    // A denial takes nothing from a definition that does not ask for it.
    if (delegation === "own" && grant.type === "unlisted") return missing(grant)
    const taker = delegation === "own" ? takerOf(above, name, environment.tools) : undefined
    if (taker) return missing({ type: "taken", ...taker })
    if (!isGrant(grant) && (available.includes(name) || isLeftOut(name))) return missing(grant)
    if (isLeftOut(name) || !beginning.parent) return missing({ type: "narrowed" })
    if (!available.includes(name)) return missing({ type: "not-of-parent" })
    return missing({ type: "narrowed" })
  }

  return [
    // What no model is offered is nobody's to have where nothing is handed on.
    ...[...tools.keys()]
      .filter((name) => delegation === "narrow" || !tools.get(name)!.unoffered)
      .map(explained),
    ...(pinned.has(submitName)
      ? [{ name: submitName, state: "offered", why: { type: "result" }, over: [] } as const]
      : []),
    ...namedInVain(agent, environment),
  ]
}

/** What a program uses are tools of its own. */
const starting = (granted: readonly string[]): ExplainedTool =>
  granted.includes(executorToolName)
    ? { name: executorToolName, state: "withheld", why: { type: "executor" }, over: [] }
    : { name: executorToolName, state: "missing", why: { type: "not-of-parent" }, over: [] }

/** Names of the definition that stand for no tool here, and tools that are known to be absent. */
function namedInVain(agent: Agent, environment: Environment): readonly ExplainedTool[] {
  const { absentTools } = environment
  const listed = agent.tools.allow.map((by) => ({ by, over: [{ type: "listed", by } as const] }))
  const others = [...agent.tools.deny, ...(agent.delegates ?? [])].map((by) => ({ by, over: [] }))
  const found = new Map<string, ExplainedTool>()
  for (const { by, over } of [...listed, ...others]) {
    const without = nameWithoutTool(by, environment)
    if (!without) continue
    const name = without.type === "absent" ? without.name : by
    const why: ToolReason =
      without.type === "absent" ? { type: "absent", reason: without.reason } : { type: without.type }
    if (!found.has(name)) found.set(name, { name, state: "missing", why, over })
  }
  for (const [name, reason] of Object.entries(absentTools))
    if (!found.has(name))
      found.set(name, { name, state: "missing", why: { type: "absent", reason }, over: [] })
  return [...found.values()]
}
