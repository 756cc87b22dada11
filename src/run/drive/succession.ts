import type { Agent } from "../../agent/agent.ts"
import { mapFromWorktree } from "../../agent/isolation.ts"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { readEndedRun } from "../begin/continue-run.ts"
import { buildFallbackChain, keepRequestedModel } from "../effects/fall-back.ts"
import { withDedupeKey } from "../log/dedupe.ts"
import type { AgentAttempt } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { computeNextRunId } from "../log/id.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { getAgentAccess } from "../rights/agent-access.ts"
import { withoutOwnSets } from "../rights/binding-sets.ts"
import { createReachTest } from "../rights/reach-limit.ts"
import { judge } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"
import { toTried } from "../words/prompt.ts"
import { needsSuccessor } from "./successors.ts"

/**
 * Creates a new root for the task of a failed root. Its agent is the first of the remaining fallbacks that can begin. The
 * id is computed from the failed root, so two processes cannot create two such roots. Undefined if there is nothing to
 * create.
 */
export async function beginSuccessor(environment: Environment, state: RunState): Promise<string | undefined> {
  const { start, end } = state
  if (!start?.fallback || !end || !needsSuccessor(state)) return undefined
  const { next, tried: earlier = [], ...callerOptions } = start.fallback
  const { store } = environment
  const run = computeNextRunId(state.run, end.at)
  for await (const _ of store.read(run)) return run
  const tried: AgentAttempt[] = [...earlier, toTried({ run: state.run, agent: start.agent }, end.outcome)]
  const remaining = [...next]
  for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
    const beginning = { run, name, remaining, tried, callerOptions, state }
    try {
      if ((await beginNext(environment, beginning)) !== "tried") return run
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      tried.push({ agent: name, reason: describeThrown(error) })
    }
  }
  return undefined
}

async function beginNext(
  environment: Environment,
  {
    run,
    name,
    remaining,
    tried,
    callerOptions,
    state,
  }: {
    readonly run: string
    readonly name: string
    readonly remaining: readonly string[]
    readonly tried: readonly AgentAttempt[]
    readonly callerOptions: Pick<Beginning, "limits" | "tools" | "variables">
    readonly state: RunState
  },
): Promise<"created" | "exists" | "tried"> {
  const agent = environment.agents.get(name)
  requireCallable(environment, state, agent)
  if (tried.some((other) => other.run !== undefined && other.agent === agent.name)) return "tried"
  const { task, cwd, moved, dedupe, continues, cache, depth } = state.start!
  return withDedupeKey(environment.store, { run, agent: agent.name, dedupe }, async () => {
    const first = await begin(environment, {
      ...callerOptions,
      run,
      agent,
      task,
      cwd: mapFromWorktree(cwd, moved).at(-1) ?? cwd,
      depth,
      ...keepRequestedModel(state.start!),
      ...(continues !== undefined && {
        continues,
        continuedRun: await readEndedRun(environment.store, continues),
      }),
      ...(dedupe !== undefined && { dedupe }),
      ...(cache === "skip" && { cache }),
      fallbackOf: state.run,
      follows: state,
      fallback: { next: buildFallbackChain(agent, remaining), tried },
    })
    const created = await environment.store.create(first)
    if (created === "created") environment.created.set(run, first)
    if (created === "created") environment.emit(first)
    return created
  })
}

/** Throws if the failed root's denials, the configuration or the trust keep the agent from getting the task. */
function requireCallable(environment: Environment, { rights, start }: RunState, { name }: Agent): void {
  const { agents, tools } = environment
  const first = agents.find(start!.agent)
  const now = anchorRules(environment.rights, tools, start!.cwd)
  // The definition of the first agent names its fallbacks, so a default of `ask` for calls does not apply to them.
  const sets = [...withoutOwnSets(rights), now].map(
    (set): RuleSet => (set.otherwise === "ask" ? { ...set, otherwise: "allow" } : set),
  )
  const { decision, of } = judge(sets, { tool: "Agent", accesses: [getAgentAccess(agents, name)] })
  if (decision === "deny" || (first && !createReachTest(environment, first, rights)(name)))
    throw new CadreError(
      "TRUST_REFUSED",
      decision === "deny"
        ? `the rules of ${of} do not allow "${name}" to work for "${start!.agent}"`
        : `"${name}" is not trusted to work for "${start!.agent}", or needs more rights than you trusted (\`cadre trust\` shows them)`,
    )
  if (decision === "ask")
    throw new CadreError(
      "TRUST_REFUSED",
      `"${name}" needs approval to work for "${start!.agent}", and a fallback cannot ask for approval`,
    )
}
