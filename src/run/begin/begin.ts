import type { Agent } from "../../agent/agent.ts"
import type { ModelUse } from "../../agent/model.ts"
import { idleParts } from "../../agent/without-effect.ts"
import { hash } from "../../ground/crypto.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import type { Limits } from "../../ground/limits.ts"
import { templateIn, unrendered } from "../../language/template/unrendered.ts"
import { mayReuse, reuse } from "../decide/reuse.ts"
import { now } from "../log/clock.ts"
import { eventVersion, type RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { redactTexts } from "../log/redact.ts"
import type { Charge } from "../log/store.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { PinnedContext } from "../ports/context.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Definition, Pinned } from "../ports/pinned.ts"
import { hookedBy } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { rightsOf } from "../rights/rule-sets.ts"
import { attachTask } from "./attach.ts"
import { requireCheckable } from "./checkable.ts"
import { confinementOf } from "./confine.ts"
import { absencesOf, checkToolNames, pin, ready, remember } from "./definition.ts"
import { bindingOf, requireExecutor } from "./executing.ts"
import { firstMessage } from "./first-message.ts"
import { contextOf } from "./gather-context.ts"
import { settleTools } from "./grant.ts"
import { isolate, withPlace } from "./isolate.ts"
import { checkKind, kindOf } from "./kind.ts"
import { depthLacks, placedLacks, programLacks, requireProgramTools, requireTools } from "./lacks.ts"
import { type Offer, offerOf } from "./offer.ts"
import { cutShort, settleLimits, settleWithin } from "./settle-limits.ts"
import { checkFit, settleModel } from "./settle-model.ts"
import { requireMode } from "./start-mode.ts"
import { settleVariables } from "./variables.ts"

/** The first event of a run: everything it may do is settled here. Throws a CadreError where it could not start. */
export async function begin(environment: Surroundings, asked: Beginning): Promise<RunEvent> {
  const beginning = typeof asked.agent.workflow === "string" ? await withWorkflow(environment, asked) : asked
  const { agent, parent, task } = beginning
  requireMode(agent)
  const limits = settleLimits(environment, beginning)
  const within = settleWithin(environment, beginning)
  if (beginning.depth !== undefined && !(Number.isInteger(beginning.depth) && beginning.depth >= 0))
    throw new CadreError("LIMIT_INVALID", `depth is ${beginning.depth}, but it counts levels from 0.`)
  const depth = beginning.depth ?? (parent ? parent.start!.depth + 1 : 0)
  const settled = settleTools(environment, beginning)
  const grant =
    settled.lacks.length === 0
      ? settled
      : { ...settled, lacks: await placedLacks(environment, settled.lacks) }
  const { granted, delegates } = grant
  requireTools(agent, grant, environment)
  if (agent.postconditions?.length) await requireCheckable(environment, beginning, grant)
  const variables = settleVariables(environment, beginning)
  const opened = firstMessage(beginning, variables)
  const attached = await attachTask(environment, beginning)
  const binding = bindingOf(environment, beginning, grant)
  const ofKind = await checkKind(environment, agent, task, beginning, {
    ...binding,
    ...(limits.maxSpawns !== undefined && { maxSpawns: limits.maxSpawns }),
    variables,
  })
  if (agent.executor !== undefined) {
    await requireProgramTools(environment, beginning, grant, ofKind)
    await requireExecutor(environment, beginning, grant, binding)
  }
  // First, because it may fail, and nothing is kept of a run that cannot start.
  const { model, window } = await settleModel(environment, beginning, limits)
  const given = beginning.cwd ?? parent?.start?.cwd ?? process.cwd()
  const isolated = await isolate(environment, {
    run: beginning.run,
    agent,
    cwd: given,
    parent: parent?.start,
    follows: beginning.follows?.start,
  })
  const { cwd, worktree, moved } = isolated
  const rights = rightsOf(agent, environment, cwd, beginning, grant)
  const offer = offerOf(environment, beginning, { granted, rights, depth, limits })
  const later = [
    ...programLacks(environment, beginning, grant, ofKind.taken ?? []),
    ...depthLacks(environment, beginning, { depth, limits }, offer.withheld),
  ]
  const lacks =
    later.length === 0 ? grant.lacks : [...grant.lacks, ...(await placedLacks(environment, later))]
  // A worktree is made later: what it will hold is what there is now.
  const context = await contextOf(environment, agent, {
    ...beginning,
    cwd: given,
    ...(worktree && { worksIn: cwd }),
    permits: (file) => mayBeSent(rights, file, moved),
  })
  const definition = await keep(environment, beginning, granted, offer, context.gathered)
  const message = [withPlace(opened, isolated), ...attached.notes].join("\n\n")
  if (window !== undefined) {
    const taskBytes = context.historyBytes + Buffer.byteLength(message)
    checkFit(agent, definition.fixedBytes + taskBytes, taskBytes, window)
  }
  const bounded =
    beginning.limits?.maxOutputTokens ?? agent.limits.maxOutputTokens ?? environment.limits.maxOutputTokens
  const metered =
    parent?.start?.metered ||
    limits.maxTokens !== undefined ||
    limits.maxCost !== undefined ||
    bounded !== undefined
  const warnings = [
    ...(beginning.warnings ?? []),
    ...attached.warnings,
    ...(agent.origin.format === "code" ? idleParts(agent) : []),
    ...unrenderedIn(agent),
    ...cutShort(limits, beginning),
    ...absencesOf(agent, environment.absentTools),
    ...(ofKind.warnings ?? []),
    ...context.warnings,
    ...isolated.warnings,
  ]
  const confinement = confinementOf(environment.tools, beginning)
  const before = parent ?? beginning.follows
  const resumedAt = before?.resumedAt ?? before?.start?.resumedAt
  const begun: RunStart = {
    type: "run-start",
    kind: kindOf(agent),
    agent: agent.name,
    definition: definition.hash,
    task,
    ...(message !== task && { opening: message }),
    ...(attached.attachments.length > 0 && { attachments: attached.attachments }),
    depth,
    limits,
    ...(within !== undefined && { within }),
    rights,
    tools: definition.names,
    ...(definition.withheld.length > 0 && { withheld: definition.withheld }),
    ...(delegates.length > 0 && { delegates }),
    ...((grant.delegation === "own" || !parent) && { delegation: grant.delegation }),
    ...(grant.delegation === "own" && !parent && { ceiling: grant.ceiling }),
    ...(lacks.length > 0 && { lacks }),
    ...(agent.executor !== undefined && binding.ceiling && { handable: binding.ceiling }),
    ...(ofKind.programTools && { programTools: ofKind.programTools }),
    ...(await hookedBy(environment, beginning)),
    ...(agent.postconditions?.length && { postconditions: agent.postconditions.length }),
    ...(agent.origin.file !== undefined && { origin: placeOf(agent.origin) }),
    model,
    ...(warnings.length > 0 && { warnings }),
    ...(metered && { metered }),
    variables,
    cwd,
    ...(confinement && { confinement }),
    ...(worktree && { isolation: worktree }),
    ...(moved && { moved }),
    ...(parent && { caller: { run: parent.run, call: beginning.call! } }),
    ...(resumedAt !== undefined && { resumedAt }),
    ...(beginning.continues !== undefined && { continues: beginning.continues }),
    ...(!parent && (agent.fallback || beginning.fallback) && chainOf(beginning)),
    ...(beginning.fallbackOf !== undefined && { fallbackOf: beginning.fallbackOf }),
    ...(beginning.dedupe !== undefined && { dedupe: beginning.dedupe }),
    ...(context.forks && { forks: context.forks }),
  }
  const start = mayReuse(environment, beginning)
    ? { ...begun, ...(await reuse(environment, beginning, begun)) }
    : begun
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

export async function withWorkflow<Named extends Pick<Beginning, "agent">>(
  { lifecycle }: Pick<Surroundings, "lifecycle">,
  named: Named,
): Promise<Named> {
  const { agent } = named
  if (lifecycle?.writtenOut) return { ...named, agent: await lifecycle.writtenOut(agent) }
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: "here",
      part: "workflow",
      message: `Agent ${JSON.stringify(agent.name)} names the workflow ${JSON.stringify(agent.workflow)}, and nothing here knows workflows by name. Write its steps out in the definition.`,
    },
  ])
}

/** What the run is found by stays as it is: a key such as `lm-studio`, which some servers want, is a name elsewhere. */
const withNames = (
  redacted: RunStart,
  { agent, definition, tools, cwd, confinement, isolation, moved, model }: RunStart,
): RunStart => ({
  ...redacted,
  agent,
  definition,
  tools,
  cwd,
  ...(confinement && { confinement }),
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

const placeOf = ({ format, scope, file, hash }: Agent["origin"]): NonNullable<RunStart["origin"]> => ({
  format,
  ...(scope && { scope }),
  ...(file !== undefined && { file }),
  ...(hash !== undefined && { hash }),
})

/** The definition as this run will have it, kept as a blob in its tree, once for all its runs. */
function keep(
  environment: Surroundings,
  { run, agent, kept = new Map() }: Beginning,
  granted: readonly string[],
  offer: Offer,
  gathered: PinnedContext | undefined,
): Promise<Definition> {
  const context = gathered && pinnedContext(gathered)
  let key = granted.join(" ")
  for (const [name, { hash }] of offer.descriptions) key += ` ${name}:${hash}`
  if (offer.withheld.length > 0) key += ` -${offer.withheld.join(" -")}`
  if (context) key += ` ${hash("sha256", JSON.stringify(context))}`
  const ofAgent = kept.get(agent) ?? new Map<string, Promise<Definition>>()
  const known = ofAgent.get(key)
  if (known) return known
  const keeping = resolve(environment, run, agent, key, () => ({
    ...pin(agent, granted, environment.tools, offer),
    ...(context && { context }),
  }))
  kept.set(agent, ofAgent.set(key, keeping))
  keeping.catch(() => ofAgent.delete(key))
  return keeping
}

const pinnedContext = ({ text, environment }: PinnedContext): PinnedContext => ({
  ...(text !== undefined && { text }),
  ...(environment !== undefined && { environment }),
})

/** The same definition is made ready only once in this process, and kept once in every tree. */
async function resolve(
  environment: Surroundings,
  run: string,
  agent: Agent,
  key: string,
  pinNow: () => Pinned,
): Promise<Definition> {
  const known = environment.resolved.get(agent)?.get(key)
  if (known) {
    await environment.store.putBlob(run, known.blob)
    return known
  }
  checkToolNames(agent, environment)
  const pinned = redactTexts(pinNow(), environment.models.redact)
  const blob = JSON.stringify({
    agent: pinned.agent,
    tools: pinned.tools,
    ...(pinned.context && { context: pinned.context }),
  })
  const name = await environment.store.putBlob(run, blob)
  const definition = environment.definitions.get(name) ?? ready(name, blob, pinned, environment.tools)
  remember(environment.definitions, definition)
  // A context may be another one every time.
  if (pinned.context) return definition
  const resolved = environment.resolved.get(agent) ?? new Map<string, Definition>()
  environment.resolved.set(agent, resolved.set(key, definition))
  return definition
}

/** Who gets the task of a root if it fails, with what its caller asked for: that holds for all of them. */
const chainOf = ({
  agent,
  fallback = { next: agent.fallback ?? [] },
  limits = {},
  tools,
  variables,
}: Beginning): Pick<RunStart, "fallback"> => ({
  fallback: {
    ...fallback,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(tools && { tools }),
    ...(variables && { variables }),
  },
})

function allowanceOf({ maxTokens, maxCost, maxSpawns }: Limits): Charge | undefined {
  if (maxTokens === undefined && maxCost === undefined && maxSpawns === undefined) return undefined
  return {
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxSpawns !== undefined && { spawns: maxSpawns }),
  }
}

/** What stands in the prompt of a Remora agent as if it would be filled in. */
function unrenderedIn({ name, instructions, origin }: Agent): readonly string[] {
  const template = origin.format === "remora" ? templateIn(instructions) : undefined
  return template === undefined ? [] : [`Agent ${JSON.stringify(name)}: ${unrendered(template)}`]
}
