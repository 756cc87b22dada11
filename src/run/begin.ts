import type { Agent } from "../agent.ts"
import { CadreError, knownNames } from "../errors.ts"
import { checkLimits, defaultLimits, type Limits } from "../limits.ts"
import type { Json } from "../message.ts"
import type { ModelUse } from "../model.ts"
import { now } from "./clock.ts"
import {
  absencesOf,
  checkToolNames,
  type Definition,
  delegatedTools,
  grantTools,
  type Pinned,
  pin,
  ready,
} from "./definition.ts"
import type { Environment } from "./environment.ts"
import { eventVersion, type RunEvent, type RunStart } from "./event.ts"
import { firstMessage } from "./first-message.ts"
import { isolate, withPlace } from "./isolate.ts"
import { redactTexts } from "./redact.ts"
import { rightsOf } from "./rule-sets.ts"
import { checkFit, settleModel } from "./settle-model.ts"
import { elapsed, type RunState } from "./state.ts"
import type { Charge } from "./store.ts"

/** What starting a run takes. A root's parent is the configuration. */
export interface Beginning {
  readonly run: string
  readonly agent: Agent
  readonly task: string
  readonly parent?: RunState
  readonly call?: string
  readonly limits?: Limits
  readonly model?: string
  readonly tools?: readonly string[]
  readonly variables?: { readonly [name: string]: Json }
  readonly cwd?: string
  readonly depth?: number
  readonly continues?: string
  readonly kept?: Kept
}

/** The first event of a run: everything it may do is settled here. Throws a CadreError where it could not start. */
export async function begin(environment: Environment, beginning: Beginning): Promise<RunEvent> {
  const { agent, parent, task } = beginning
  const limits = settleLimits(environment, beginning)
  if (beginning.depth !== undefined && !(Number.isInteger(beginning.depth) && beginning.depth >= 0))
    throw new CadreError("LIMIT_INVALID", `depth is ${beginning.depth}, but it counts levels from 0.`)
  const depth = beginning.depth ?? (parent ? parent.start!.depth + 1 : 0)
  const available = parent
    ? [...parent.start!.tools, ...(parent.start!.delegates ?? [])].filter((name) =>
        environment.tools.has(name),
      )
    : [...environment.tools.keys()]
  const narrowed = beginning.tools ? narrow(available, beginning.tools, environment) : available
  const granted = grantTools(agent, narrowed, environment.tools)
  const delegates = delegatedTools(agent, narrowed, environment.tools).filter(
    (name) => !granted.includes(name),
  )
  // First, because it may fail, and nothing is kept of a run that cannot start.
  const { model, window } = await settleModel(environment, beginning, limits)
  const isolated = await isolate(environment, {
    run: beginning.run,
    agent,
    cwd: beginning.cwd ?? parent?.start?.cwd ?? process.cwd(),
    tools: [...granted, ...delegates],
    parent: parent?.start,
  })
  const { cwd, worktree, moved } = isolated
  const definition = await keep(
    environment,
    beginning,
    granted,
    depth >= limits.maxDepth ? "deepest" : "may-delegate",
  )
  const variables = { ...agent.variables, ...beginning.variables }
  const message = withPlace(firstMessage(agent, task, variables), isolated)
  if (window !== undefined) checkFit(agent, definition.fixedBytes + Buffer.byteLength(message), window)
  const bounded =
    beginning.limits?.maxOutputTokens ?? agent.limits.maxOutputTokens ?? environment.limits.maxOutputTokens
  const metered =
    parent?.start?.metered ||
    limits.maxTokens !== undefined ||
    limits.maxCost !== undefined ||
    bounded !== undefined
  const warnings = [...absencesOf(agent, environment.absentTools), ...isolated.warnings]
  const start: RunStart = {
    type: "run-start",
    kind: "agent",
    agent: agent.name,
    definition: definition.hash,
    task,
    ...(message !== task && { opening: message }),
    depth,
    limits,
    rights: rightsOf(agent, environment, cwd, parent?.start),
    tools: definition.names,
    ...(delegates.length > 0 && { delegates }),
    ...(environment.hooks.size > 0 && { hooks: [...environment.hooks.keys()] }),
    ...(agent.origin.file !== undefined && { origin: placeOf(agent.origin) }),
    model,
    ...(warnings.length > 0 && { warnings }),
    ...(metered && { metered }),
    variables,
    cwd,
    ...(worktree && { isolation: worktree }),
    ...(moved && { moved }),
    ...(parent && { caller: { run: parent.run, call: beginning.call! } }),
    ...(beginning.continues !== undefined && { continues: beginning.continues }),
  }
  const allowance = allowanceOf(limits)
  return {
    run: beginning.run,
    seq: 0,
    at: now(),
    v: eventVersion,
    ...(environment.models.keepsSecrets()
      ? withNames(redactTexts(start, environment.models.redact), start)
      : start),
    ...(allowance && { allowance }),
  }
}

/** What the run is found by stays as it is: a key such as `lm-studio`, which some servers want, is a name elsewhere. */
const withNames = (
  redacted: RunStart,
  { agent, definition, tools, cwd, isolation, moved, model }: RunStart,
): RunStart => ({
  ...redacted,
  agent,
  definition,
  tools,
  cwd,
  ...(isolation && { isolation }),
  ...(moved && { moved }),
  model: {
    ...redacted.model,
    uses: redacted.model.uses.map((use, index) => {
      const given = model.uses[index]!
      return "name" in given ? { ...use, name: given.name } : { ...use, provider: given.provider }
    }) as readonly ModelUse[],
  },
})

/** Only those of the caller's list; a name nobody knows is a mistake, and would silently take a tool away. */
function narrow(
  available: readonly string[],
  names: readonly string[],
  { tools }: Environment,
): readonly string[] {
  const wrong = names.find((name) => !tools.has(name))
  if (wrong !== undefined)
    throw new CadreError(
      "TOOL_UNKNOWN",
      `There is no tool named ${JSON.stringify(wrong)}. ${knownNames(wrong, tools.keys())}`,
    )
  return available.filter((name) => names.includes(name))
}

/** The call's limits beat the definition's beat the configuration's; nothing outlives or outnumbers the parent. */
function settleLimits(
  environment: Environment,
  { run, agent, parent, limits }: Beginning,
): RunStart["limits"] {
  const settled = {
    ...defaultLimits,
    ...environment.limits,
    ...agent.limits,
    ...checkLimits(`Run ${run}`, limits ?? {}),
  }
  if (!parent) return settled
  const { maxTokens, maxCost, maxSpawns, maxConcurrency: _, ...own } = settled
  const above = parent.start!.limits
  return {
    ...own,
    // Counted by the tree against every ancestor's allowance; repeated here only where this run is tighter.
    ...(agent.limits.maxTokens !== undefined && { maxTokens }),
    ...(agent.limits.maxCost !== undefined && { maxCost }),
    ...(agent.limits.maxSpawns !== undefined && { maxSpawns }),
    maxDepth: Math.min(settled.maxDepth, above.maxDepth),
    timeout: Math.max(
      1,
      Math.min(settled.timeout, (above.timeout ?? settled.timeout) - elapsed(parent, now())),
    ),
  }
}

const placeOf = ({ format, scope, file, hash }: Agent["origin"]): NonNullable<RunStart["origin"]> => ({
  format,
  ...(scope && { scope }),
  ...(file !== undefined && { file }),
  ...(hash !== undefined && { hash }),
})

/** Of each agent, by what it is granted: definitions that a tree keeps, or is about to. */
export type Kept = Map<Agent, Map<string, Promise<Definition>>>

/** The definition as this run will have it, kept as a blob in its tree, once for all its runs. */
function keep(
  environment: Environment,
  { run, agent, kept = new Map() }: Beginning,
  granted: readonly string[],
  depth: "may-delegate" | "deepest",
): Promise<Definition> {
  const key = `${depth} ${granted.join(" ")}`
  const ofAgent = kept.get(agent) ?? new Map<string, Promise<Definition>>()
  const known = ofAgent.get(key)
  if (known) return known
  const keeping = resolve(environment, run, agent, key, () => pin(agent, granted, environment.tools, depth))
  kept.set(agent, ofAgent.set(key, keeping))
  keeping.catch(() => ofAgent.delete(key))
  return keeping
}

/** The same definition is made ready only once in this process, and kept once in every tree. */
async function resolve(
  environment: Environment,
  run: string,
  agent: Agent,
  key: string,
  pinNow: () => Pinned,
): Promise<Definition> {
  const known = environment.resolved.get(agent)?.get(key)
  if (!known) checkToolNames(agent, environment)
  const pinned = known ?? redactTexts(pinNow(), environment.models.redact)
  const hash = await environment.store.putBlob(
    run,
    JSON.stringify({ agent: pinned.agent, tools: pinned.tools }),
  )
  const definition = known ?? environment.definitions.get(hash) ?? ready(hash, pinned, environment.tools)
  environment.definitions.set(hash, definition)
  const resolved = environment.resolved.get(agent) ?? new Map<string, Definition>()
  environment.resolved.set(agent, resolved.set(key, definition))
  return definition
}

function allowanceOf({ maxTokens, maxCost, maxSpawns }: Limits): Charge | undefined {
  if (maxTokens === undefined && maxCost === undefined && maxSpawns === undefined) return undefined
  return {
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxSpawns !== undefined && { spawns: maxSpawns }),
  }
}
