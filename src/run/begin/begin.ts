import type { Agent } from "../../agent/agent.ts"
import { getFormatTraits } from "../../agent/format-traits.ts"
import type { ModelUse } from "../../agent/model.ts"
import { listPartsWithoutEffect } from "../../agent/without-effect.ts"
import { CadreError } from "../../ground/errors.ts"
import type { RunLimits } from "../../ground/limits.ts"
import { describeUnrendered, findTemplateSyntax } from "../../language/template/unrendered.ts"
import { findRecordedResult, mayReuse } from "../decide/reuse.ts"
import { readClock } from "../log/clock.ts"
import { eventVersion, type RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { redactTexts } from "../log/redact.ts"
import type { StoreCharge } from "../log/store.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { PinnedContext } from "../ports/context.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { GrantedTools } from "../ports/granted-tools.ts"
import type { Definition } from "../ports/pinned.ts"
import { buildHookFields } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { collectRights } from "../rights/rule-sets.ts"
import { attachTask } from "./attach.ts"
import { chooseConfinement } from "./confine.ts"
import { warnOfAbsentTools } from "./definition.ts"
import { gatherRunBounds, requireExecutor } from "./executor-start.ts"
import { writeFirstMessage } from "./first-message.ts"
import { gatherContext } from "./gather-context.ts"
import { settleTools } from "./grant.ts"
import { addWorktreeNote, isolate } from "./isolate.ts"
import { storeDefinition } from "./keep-definition.ts"
import { checkKind, getRunKind } from "./kind.ts"
import {
  addLackPlaces,
  findDepthLacks,
  findProgramLacks,
  requireAcceptedTools,
  requireProgramTools,
  requireTools,
} from "./lacks.ts"
import { withWorkflow } from "./named-workflow.ts"
import { settleOffer } from "./offer.ts"
import { requireCheckable } from "./require-checkable.ts"
import { settleLimits, settleWithin, warnOfShortTime } from "./settle-limits.ts"
import { checkFit, settleRunModel } from "./settle-model.ts"
import { hasNode, pickNodeFacts, withNode } from "./settle-node.ts"
import { requireHeadlessMode } from "./start-mode.ts"
import { settleVariables } from "./variables.ts"

/** Makes the first event of a run, which settles everything the run may do. Throws a CadreError where it cannot start. */
export async function begin(environment: StartEnvironment, request: Beginning): Promise<RunEvent> {
  const named =
    typeof request.agent.workflow === "string" ? await withWorkflow(environment, request) : request
  const beginning = hasNode(named) ? await withNode(environment, named) : named
  const bounds = await settleBounds(environment, beginning)
  const words = await settleWords(environment, beginning)
  const worker = await settleWorker(environment, beginning, bounds, words)
  const place = await settlePlace(environment, beginning, bounds, worker)
  const prompt = await settlePrompt(environment, beginning, { bounds, words, worker, place })
  const runStart = await startOf(environment, beginning, { bounds, words, worker, place, prompt })
  const start = mayReuse(environment, beginning)
    ? { ...runStart, ...(await findRecordedResult(environment, beginning, runStart)) }
    : runStart
  const allowance = allowanceOf(bounds.limits)
  return {
    run: beginning.run,
    seq: 0,
    at: readClock(),
    v: eventVersion,
    ...(environment.models.keepsSecrets()
      ? withNames(redactTexts(start, environment.models.redact), start)
      : start),
    ...(allowance && { allowance }),
  }
}

/** Settles the limits and the tools. */
async function settleBounds(environment: StartEnvironment, beginning: Beginning) {
  const { agent, parent } = beginning
  requireHeadlessMode(agent)
  const limits = settleLimits(environment, beginning)
  const within = settleWithin(environment, beginning)
  if (beginning.depth !== undefined && !(Number.isInteger(beginning.depth) && beginning.depth >= 0))
    throw new CadreError(
      "LIMIT_INVALID",
      `depth is ${beginning.depth}, but it must be a whole number from 0.`,
    )
  const depth = beginning.depth ?? (parent ? parent.start!.depth + 1 : 0)
  const baseGrant = settleTools(environment, beginning)
  const grant =
    baseGrant.lacks.length === 0
      ? baseGrant
      : { ...baseGrant, lacks: await addLackPlaces(environment, baseGrant.lacks) }
  requireAcceptedTools(agent, grant, environment)
  requireTools(agent, grant, environment)
  if (agent.postconditions?.length) await requireCheckable(environment, beginning, grant)
  return { limits, within, depth, grant }
}

/** Settles the variables, the first message and the attachments. */
async function settleWords(environment: StartEnvironment, beginning: Beginning) {
  const variables = settleVariables(environment, beginning)
  const firstText = writeFirstMessage(beginning, variables)
  return { variables, firstText, attached: await attachTask(environment, beginning) }
}

/** Settles the model, planner or program that does the work. It may fail, so it comes before the other costly steps. */
async function settleWorker(
  environment: StartEnvironment,
  beginning: Beginning,
  { limits, grant }: Bounds,
  { variables }: Words,
) {
  const { agent, task } = beginning
  const binding = gatherRunBounds(environment, beginning, grant)
  const ofKind = await checkKind(environment, agent, task, beginning, {
    ...binding,
    ...(limits.maxSpawns !== undefined && { maxSpawns: limits.maxSpawns }),
    variables,
  })
  if (agent.executor !== undefined) {
    await requireProgramTools(environment, beginning, grant, ofKind)
    await requireExecutor(environment, beginning, grant, binding)
  }
  return { binding, ofKind, ...(await settleRunModel(environment, beginning, limits)) }
}

/** Settles the folder to work in, the rights, and the tools on offer. */
async function settlePlace(
  environment: StartEnvironment,
  beginning: Beginning,
  { limits, depth, grant }: Bounds,
  { ofKind, window }: Worker,
) {
  const { agent, parent } = beginning
  const baseFolder = beginning.cwd ?? parent?.start?.cwd ?? process.cwd()
  const isolated = await isolate(environment, {
    run: beginning.run,
    agent,
    cwd: baseFolder,
    parent: parent?.start,
    follows: beginning.follows?.start,
  })
  const rights = collectRights(agent, environment, isolated.cwd, beginning, grant)
  const offer = settleOffer(environment, beginning, { granted: grant.granted, rights, depth, limits, window })
  const later = [
    ...findProgramLacks(environment, beginning, grant, ofKind.taken ?? []),
    ...findDepthLacks(environment, beginning, { depth, limits }, offer.withheld),
  ]
  const lacks =
    later.length === 0 ? grant.lacks : [...grant.lacks, ...(await addLackPlaces(environment, later))]
  return { baseFolder, isolated, rights, offer, lacks }
}

/** Settles the text that the model reads first. Throws if the text does not fit the model. */
async function settlePrompt(
  environment: StartEnvironment,
  beginning: Beginning,
  {
    bounds: { grant },
    words: { firstText, attached },
    worker: { window },
    place,
  }: Omit<StartParts, "prompt">,
) {
  const { agent } = beginning
  const { cwd, worktree, moved } = place.isolated
  // The worktree is made later, so the context is read from the folder that it will be a copy of.
  const context = await gatherContext(environment, agent, {
    ...beginning,
    cwd: place.baseFolder,
    ...(worktree && { worksIn: cwd }),
    permits: (file) => mayBeSent(place.rights, file, moved),
  })
  const words = environment.toolSource?.words(grant.granted)
  const gathered = words === undefined ? context.gathered : withWords(context.gathered, words)
  const definition = await storeDefinition(environment, beginning, grant.granted, place.offer, gathered)
  const message = [addWorktreeNote(firstText, place.isolated), ...attached.notes].join("\n\n")
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

interface StartParts {
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

/** In a narrow tree the ceiling bounds scripts only, and there is none unless a call named tools. */
const hasCeiling = (
  { delegation }: GrantedTools,
  { parent, tools, follows, continuedRun }: Beginning,
): boolean =>
  !parent &&
  (delegation === "own" || (tools ?? follows?.start?.ceiling ?? continuedRun?.start.ceiling) !== undefined)

type GatheredStart = Awaited<ReturnType<typeof gatherContext>>

async function startOf(
  environment: StartEnvironment,
  beginning: Beginning,
  { bounds, words, worker, place, prompt }: StartParts,
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
    ...(agent.origin.format === "code" ? listPartsWithoutEffect(agent) : []),
    ...unrenderedIn(agent),
    ...warnOfShortTime(limits, beginning),
    ...warnOfAbsentTools(agent, environment.absentTools),
    ...(environment.toolSource?.warnings(agent) ?? []),
    ...(ofKind.warnings ?? []),
    ...context.warnings,
    ...place.isolated.warnings,
  ]
  const metered = isMetered(environment, beginning, limits)
  const confinement = chooseConfinement(environment.tools, beginning)
  const node = pickNodeFacts(beginning)
  const predecessor = parent ?? beginning.follows
  const resumedAt = predecessor?.resumedAt ?? predecessor?.start?.resumedAt
  return {
    type: "run-start",
    kind: getRunKind(agent),
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
    ...(hasCeiling(grant, beginning) && { ceiling: grant.ceiling }),
    ...(place.lacks.length > 0 && { lacks: place.lacks }),
    ...(agent.executor !== undefined && binding.ceiling && { handable: binding.ceiling }),
    ...(ofKind.programTools && { programTools: ofKind.programTools }),
    ...(await buildHookFields(environment, beginning)),
    ...(agent.postconditions?.length && { postconditions: agent.postconditions.length }),
    ...(agent.origin.file !== undefined && { origin: placeOf(agent.origin) }),
    model,
    ...(warnings.length > 0 && { warnings }),
    ...(metered && { metered }),
    variables,
    ...(node && { node }),
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

/** True if the run's model calls count against an allowance or an output limit. */
function isMetered(
  environment: StartEnvironment,
  { agent, parent, limits: callLimits }: Beginning,
  limits: RunLimits,
) {
  const bounded =
    callLimits?.maxOutputTokens ?? agent.limits.maxOutputTokens ?? environment.limits.maxOutputTokens
  return (
    parent?.start?.metered ||
    limits.maxTokens !== undefined ||
    limits.maxCost !== undefined ||
    bounded !== undefined
  )
}

/** Names that identify the run are not redacted: a key such as `lm-studio` may also be the name of something. */
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
      const modelUse = model.uses[index]!
      return "name" in modelUse ? { ...use, name: modelUse.name } : { ...use, provider: modelUse.provider }
    }) as readonly ModelUse[],
  },
})

const placeOf = ({ format, scope, file, hash }: Agent["origin"]): NonNullable<RunStart["origin"]> => ({
  format,
  ...(scope && { scope }),
  ...(file !== undefined && { file }),
  ...(hash !== undefined && { hash }),
})

/** The agents that get a root's task if it fails, with the caller's options, which hold for all of them. */
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

function allowanceOf({ maxTokens, maxCost, maxSpawns }: RunLimits): StoreCharge | undefined {
  if (maxTokens === undefined && maxCost === undefined && maxSpawns === undefined) return undefined
  return {
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxSpawns !== undefined && { spawns: maxSpawns }),
  }
}

/** Warns about a template in the instructions, where the format sends it to the model unfilled. */
function unrenderedIn({ name, instructions, origin }: Agent): readonly string[] {
  const template =
    getFormatTraits(origin.format).templates === "sent" ? findTemplateSyntax(instructions) : undefined
  return template === undefined ? [] : [`Agent ${JSON.stringify(name)}: ${describeUnrendered(template)}`]
}
