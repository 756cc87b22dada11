import type { Agent } from "../../agent/agent.ts"
import { movedFrom } from "../../agent/isolation.ts"
import { CadreError, messageOf } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { endedRun } from "../begin/continuing.ts"
import { modelOf, nextOf } from "../effects/fall-back.ts"
import { whileHeld } from "../log/dedupe.ts"
import type { Tried } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { nextRunId } from "../log/id.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { agentAccess } from "../rights/agent-access.ts"
import { binding } from "../rights/binding-sets.ts"
import { reachedNow } from "../rights/reach-limit.ts"
import { judge } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"
import { triedOf } from "../words/prompt.ts"
import { isFollowed } from "./successors.ts"

/**
 * Creates the root that gets the task of one that failed, by the next agent of its chain that can begin. Its id follows
 * from the one before, so that nobody is tried twice, whoever asks and however often. Undefined: nobody is left.
 */
export async function succeed(environment: Environment, state: RunState): Promise<string | undefined> {
  const { start, end } = state
  if (!start?.fallback || !end || !isFollowed(state)) return undefined
  const { next, tried: before = [], ...asked } = start.fallback
  const { store } = environment
  const run = nextRunId(state.run, end.at)
  for await (const _ of store.read(run)) return run
  const tried: Tried[] = [...before, triedOf({ run: state.run, agent: start.agent }, end.outcome)]
  const left = [...next]
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const beginning = { run, name, left, tried, asked, state }
    try {
      if ((await beginNext(environment, beginning)) !== "tried") return run
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      tried.push({ agent: name, reason: messageOf(error) })
    }
  }
  return undefined
}

async function beginNext(
  environment: Environment,
  {
    run,
    name,
    left,
    tried,
    asked,
    state,
  }: {
    readonly run: string
    readonly name: string
    readonly left: readonly string[]
    readonly tried: readonly Tried[]
    readonly asked: Pick<Beginning, "limits" | "tools" | "variables">
    readonly state: RunState
  },
): Promise<"created" | "exists" | "tried"> {
  const agent = environment.agents.get(name)
  requireCallable(environment, state, agent)
  if (tried.some((other) => other.run !== undefined && other.agent === agent.name)) return "tried"
  const { task, cwd, moved, dedupe, continues, cache, depth } = state.start!
  return whileHeld(environment.store, { run, agent: agent.name, dedupe }, async () => {
    const first = await begin(environment, {
      ...asked,
      run,
      agent,
      task,
      cwd: movedFrom(cwd, moved).at(-1) ?? cwd,
      depth,
      ...modelOf(state.start!),
      ...(continues !== undefined && { continues, ended: await endedRun(environment.store, continues) }),
      ...(dedupe !== undefined && { dedupe }),
      ...(cache === "skip" && { cache }),
      fallbackOf: state.run,
      follows: state,
      fallback: { next: nextOf(agent, left), tried },
    })
    const created = await environment.store.create(first)
    if (created === "created") environment.created.set(run, first)
    if (created === "created") environment.emit(first)
    return created
  })
}

/** Who gets the task of a root is someone whom its denials, those of the configuration and the trust leave. */
function requireCallable(environment: Environment, { rights, start }: RunState, { name }: Agent): void {
  const { agents, tools } = environment
  const first = agents.find(start!.agent)
  const now = anchorRules(environment.rights, tools, start!.cwd)
  // A fallback is written down, and no call: what asks about everything that no rule speaks of asks about calls.
  const sets = [...binding(rights), now].map(
    (set): RuleSet => (set.otherwise === "ask" ? { ...set, otherwise: "allow" } : set),
  )
  const { decision, of } = judge(sets, { tool: "Agent", accesses: [agentAccess(agents, name)] })
  if (decision === "deny" || (first && !reachedNow(environment, first, rights)(name)))
    throw new CadreError(
      "TRUST_REFUSED",
      decision === "deny"
        ? `the rules of ${of} do not permit that "${name}" works for "${start!.agent}"`
        : `"${name}" was not among those that were trusted for "${start!.agent}", or asks for more since (\`cadre trust\` shows it)`,
    )
  if (decision === "ask")
    throw new CadreError(
      "TRUST_REFUSED",
      `a person would have to be asked whether "${name}" may work for "${start!.agent}", and nobody is asked for a fallback`,
    )
}
