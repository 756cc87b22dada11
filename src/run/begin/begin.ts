import type { Agent } from "../../agent/agent.ts"
import type { ModelUse } from "../../agent/model.ts"
import { waysOf } from "../../agent/ways.ts"
import { idleParts } from "../../agent/without-effect.ts"
import { CadreError } from "../../ground/errors.ts"
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
import type { Definition } from "../ports/pinned.ts"
import { hookedBy } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { rightsOf } from "../rights/rule-sets.ts"
import { attachTask } from "./attach.ts"
import { requireCheckable } from "./checkable.ts"
import { confinementOf } from "./confine.ts"
import { absencesOf } from "./definition.ts"
import { bindingOf, requireExecutor } from "./executing.ts"
import { firstMessage } from "./first-message.ts"
import { contextOf } from "./gather-context.ts"
import { settleTools } from "./grant.ts"
import { isolate, withPlace } from "./isolate.ts"
import { keep } from "./keep-definition.ts"
import { checkKind, kindOf } from "./kind.ts"
import { depthLacks, placedLacks, programLacks, requireProgramTools, requireTools } from "./lacks.ts"
import { withWorkflow } from "./named-workflow.ts"
import { offerOf } from "./offer.ts"
import { cutShort, settleLimits, settleWithin } from "./settle-limits.ts"
import { checkFit, settleModel } from "./settle-model.ts"
import { requireMode } from "./start-mode.ts"
import { settleVariables } from "./variables.ts"

/** The first event of a run: everything it may do is settled here. Throws a CadreError where it could not start. */
export async function begin(environment: Surroundings, asked: Beginning): Promise<RunEvent> {
  const beginning = typeof asked.agent.workflow === "string" ? await withWorkflow(environment, asked) : asked
  const bounds = await settleBounds(environment, beginning)
  const words = await settleWords(environment, beginning)
  const worker = await settleWorker(environment, beginning, bounds, words)
  const place = await settlePlace(environment, beginning, bounds, worker)
  const prompt = await settlePrompt(environment, beginning, { bounds, words, worker, place })
  const begun = await startOf(environment, beginning, { bounds, words, worker, place, prompt })
  const start = mayReuse(environment, beginning)
    ? { ...begun, ...(await reuse(environment, beginning, begun)) }
    : begun
  const allowance = allowanceOf(bounds.limits)
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

/** How far it may go, and with which tools. */
async function settleBounds(environment: Surroundings, beginning: Beginning) {
  const { agent, parent } = beginning
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
  requireTools(agent, grant, environment)
  if (agent.postconditions?.length) await requireCheckable(environment, beginning, grant)
  return { limits, within, depth, grant }
}

/** What it is told. */
async function settleWords(environment: Surroundings, beginning: Beginning) {
  const variables = settleVariables(environment, beginning)
  const opened = firstMessage(beginning, variables)
  return { variables, opened, attached: await attachTask(environment, beginning) }
}

/** Who does the work: a model, a planner or a program. First of what costs something, because it may fail. */
async function settleWorker(
  environment: Surroundings,
  beginning: Beginning,
  { limits, grant }: Bounds,
  { variables }: Words,
) {
  const { agent, task } = beginning
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
  return { binding, ofKind, ...(await settleModel(environment, beginning, limits)) }
}

/** Where it works, by which rules, and with which of its tools on offer. */
async function settlePlace(
  environment: Surroundings,
  beginning: Beginning,
  { limits, depth, grant }: Bounds,
  { ofKind }: Worker,
) {
  const { agent, parent } = beginning
  const given = beginning.cwd ?? parent?.start?.cwd ?? process.cwd()
  const isolated = await isolate(environment, {
    run: beginning.run,
    agent,
    cwd: given,
    parent: parent?.start,
    follows: beginning.follows?.start,
  })
  const rights = rightsOf(agent, environment, isolated.cwd, beginning, grant)
  const offer = offerOf(environment, beginning, { granted: grant.granted, rights, depth, limits })
  const later = [
    ...programLacks(environment, beginning, grant, ofKind.taken ?? []),
    ...depthLacks(environment, beginning, { depth, limits }, offer.withheld),
  ]
  const lacks =
    later.length === 0 ? grant.lacks : [...grant.lacks, ...(await placedLacks(environment, later))]
  return { given, isolated, rights, offer, lacks }
}

/** What its model reads before anything else, and whether that fits. */
async function settlePrompt(
  environment: Surroundings,
  beginning: Beginning,
  { bounds: { grant }, words: { opened, attached }, worker: { window }, place }: Omit<Settled, "prompt">,
) {
  const { agent } = beginning
  const { cwd, worktree, moved } = place.isolated
  // A worktree is made later: what it will hold is what there is now.
  const context = await contextOf(environment, agent, {
    ...beginning,
    cwd: place.given,
    ...(worktree && { worksIn: cwd }),
    permits: (file) => mayBeSent(place.rights, file, moved),
  })
  const words = environment.toolSource?.words(grant.granted)
  const gathered = words === undefined ? context.gathered : withWords(context.gathered, words)
  const definition = await keep(environment, beginning, grant.granted, place.offer, gathered)
  const message = [withPlace(opened, place.isolated), ...attached.notes].join("\n\n")
  if (window !== undefined) {
    const taskBytes = context.historyBytes + Buffer.byteLength(message)
    checkFit(agent, definition.fixedBytes + taskBytes, taskBytes, window)
  }
  return { context, definition, message }
}

const withWords = (gathered: PinnedContext = {}, words: string): PinnedContext => ({
  ...gathered,
  text: gathered.text === undefined ? words : `${gathered.text}\n\n${words}`,
})

type Bounds = Awaited<ReturnType<typeof settleBounds>>

type Words = Awaited<ReturnType<typeof settleWords>>

type Worker = Awaited<ReturnType<typeof settleWorker>>

interface Settled {
  readonly bounds: Bounds
  readonly words: Words
  readonly worker: Worker
  readonly place: Awaited<ReturnType<typeof settlePlace>>
  readonly prompt: {
    readonly context: GatheredStart
    readonly definition: Definition
    readonly message: string
  }
}

type GatheredStart = Awaited<ReturnType<typeof contextOf>>

async function startOf(
  environment: Surroundings,
  beginning: Beginning,
  { bounds, words, worker, place, prompt }: Settled,
): Promise<RunStart> {
  const { agent, parent, task } = beginning
  const { limits, within, depth, grant } = bounds
  const { variables, attached } = words
  const { binding, ofKind, model } = worker
  const { cwd, worktree, moved } = place.isolated
  const { context, definition, message } = prompt
  const warnings = [
    ...(beginning.warnings ?? []),
    ...attached.warnings,
    ...(agent.origin.format === "code" ? idleParts(agent) : []),
    ...unrenderedIn(agent),
    ...cutShort(limits, beginning),
    ...absencesOf(agent, environment.absentTools),
    ...(environment.toolSource?.warnings(agent.tools.allow) ?? []),
    ...(ofKind.warnings ?? []),
    ...context.warnings,
    ...place.isolated.warnings,
  ]
  const metered = isMetered(environment, beginning, limits)
  const confinement = confinementOf(environment.tools, beginning)
  const before = parent ?? beginning.follows
  const resumedAt = before?.resumedAt ?? before?.start?.resumedAt
  return {
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
    rights: place.rights,
    tools: definition.names,
    ...(definition.withheld.length > 0 && { withheld: definition.withheld }),
    ...(grant.delegates.length > 0 && { delegates: grant.delegates }),
    ...((grant.delegation === "own" || !parent) && { delegation: grant.delegation }),
    ...(grant.delegation === "own" && !parent && { ceiling: grant.ceiling }),
    ...(place.lacks.length > 0 && { lacks: place.lacks }),
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
}

/** Whether its model calls are paid for from somebody's allowance. */
function isMetered(environment: Surroundings, { agent, parent, limits: called }: Beginning, limits: Limits) {
  const bounded =
    called?.maxOutputTokens ?? agent.limits.maxOutputTokens ?? environment.limits.maxOutputTokens
  return (
    parent?.start?.metered ||
    limits.maxTokens !== undefined ||
    limits.maxCost !== undefined ||
    bounded !== undefined
  )
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

/** What stands in a prompt as if it would be filled in, where its format says that it is not. */
function unrenderedIn({ name, instructions, origin }: Agent): readonly string[] {
  const template = waysOf(origin.format).templates === "sent" ? templateIn(instructions) : undefined
  return template === undefined ? [] : [`Agent ${JSON.stringify(name)}: ${unrendered(template)}`]
}
