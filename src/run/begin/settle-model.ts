import type { Agent, ModelChoice } from "../../agent/agent.ts"
import type { ResolvedModel } from "../../agent/model.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { StartModel } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { type ModelRank, orderBySource, precedence } from "../rights/precedence.ts"
import { getRunKind } from "./kind.ts"
import { readProblems } from "./start-problem.ts"

/** The most bytes of ordinary text that one token stands for. */
const bytesPerToken = 8

type ModelBeginning = Pick<Beginning, "agent" | "parent" | "model">

/** A source that names a model, and the model as it is written there. */
export interface ModelSourceChoice {
  readonly source: StartModel["source"]
  readonly choice: ModelChoice | undefined
}

/** Settles the model of a run, without calling its provider. Throws if the call may not choose one. */
export async function settleRunModel(
  environment: StartEnvironment,
  beginning: ModelBeginning,
  limits: RunLimits,
): Promise<{ model: StartModel; window?: number }> {
  checkOverride(environment, beginning)
  return settleAnyModel(environment, beginning, limits)
}

/** Settles the model of a run, even where the call may not choose one. */
export async function settleAnyModel(
  environment: StartEnvironment,
  beginning: ModelBeginning,
  { maxCost }: RunLimits,
): Promise<{ model: StartModel; window?: number }> {
  const { models, modelPolicy } = environment
  const [first] = rankModels(beginning)
  if (getRunKind(beginning.agent) === "command") return { model: ofProgram(beginning, first!) }
  const resolution = await resolveChoice(environment, beginning, first!).catch((error) => {
    if (isNeeded(beginning, first!) || !(error instanceof CadreError)) throw asSaid(error, first!)
  })
  if (!resolution) return { model: { requested: null, source: first!.source, uses: [], resolved: "none" } }
  const { uses, warnings } = resolution
  const {
    id: resolved,
    window,
    price,
  } = await models.open(uses[0]!).catch((error) => {
    throw asSaid(error, first!)
  })
  const unpriced =
    maxCost === undefined || price
      ? []
      : [`There is no price for ${resolved}, so the limit on cost counts only what its provider reports.`]
  const model: StartModel = {
    requested: first!.choice ?? null,
    source: first!.source,
    uses,
    resolved,
    ...(modelPolicy === "strict" && { strict: true as const }),
    ...(warnings.length + unpriced.length > 0 && { warnings: [...warnings, ...unpriced] }),
  }
  return { model, ...(window !== undefined && { window }) }
}

/** A problem with a model is placed where that model is named: in the definition, the call or the configuration. */
function asSaid(error: unknown, { source }: ModelSourceChoice): unknown {
  if (!(error instanceof CadreError)) return error
  return new StartError(readProblems(error).map((problem) => ({ ...problem, ...namedBy(source, problem) })))
}

function namedBy(
  source: ModelSourceChoice["source"],
  { kind, setting }: StartProblem,
): Partial<StartProblem> {
  if (setting !== undefined) return {}
  if (source === "definition")
    return { part: "model", ...(kind !== "here" && { kind: "written", rule: "model-unknown" }) }
  if (kind !== "here" || source === "call") return { kind: "call" }
  return source === "default" ? { setting: "model" } : {}
}

/** A program has its own names for models, so the requested name is recorded without being resolved. */
const ofProgram = ({ agent }: ModelBeginning, { source, choice }: ModelSourceChoice): StartModel => ({
  requested: source === "call" || source === "definition" ? (choice ?? null) : null,
  source,
  uses: [],
  resolved: `executor:${agent.executor}`,
})

/** A run that no model drives has a model only for its children to inherit. They may all name their own. */
const isNeeded = (
  { agent }: Pick<ModelBeginning, "agent">,
  { source }: Pick<ModelSourceChoice, "source">,
): boolean => getRunKind(agent) === "agent" || source === "call" || source === "definition"

/** The sources of the model, highest precedence first. A definition's `null` means the default, even with a parent. */
export function rankModels({
  agent,
  parent,
  model: callModel,
}: ModelBeginning): readonly ModelSourceChoice[] {
  const ownModel = agent.model
  const inherits = ownModel === undefined || ownModel === "inherit"
  return orderBySource<ModelRank, ModelSourceChoice>(precedence.model, {
    call: callModel === undefined ? undefined : { source: "call", choice: callModel },
    definition: inherits
      ? undefined
      : { source: ownModel === null ? "default" : "definition", choice: ownModel },
    parent: parent && { source: "parent", choice: inherits ? ownModel : "inherit" },
    default: ownModel === null ? undefined : { source: "default", choice: inherits ? ownModel : null },
  }).map(({ values }) => values)
}

/** Resolves the model that one source names. */
export const resolveChoice = (
  { models, modelPolicy }: StartEnvironment,
  { agent, parent }: ModelBeginning,
  { source, choice }: ModelSourceChoice,
): Promise<ResolvedModel> =>
  models.resolve({
    owner: `Agent "${agent.name}"`,
    choice,
    policy: modelPolicy,
    ...(agent.effort !== undefined && { effort: agent.effort }),
    format: agent.origin.format,
    ...(source === "call" && { by: "call" as const }),
    ...(parent && { parent: parent.start!.model.uses.slice(parent.model) }),
  })

/** Throws MODEL_DENIED where a call chooses the model and may not. */
export function checkOverride(
  { modelOverride }: StartEnvironment,
  { agent, model: callModel }: ModelBeginning,
): void {
  if (callModel !== undefined && (modelOverride === "deny" || agent.allowModelOverride === false))
    throw new CadreError(
      "MODEL_DENIED",
      `Agent "${agent.name}" cannot run on ${JSON.stringify(callModel)}: ${modelOverride === "deny" ? "the configuration" : "its definition"} does not let a call choose the model. Leave the model out.`,
    )
}

/** Throws if the text that every request repeats does not fit the model: no request could be answered. */
export function checkFit({ name }: Agent, bytes: number, taskBytes: number, window: number): void {
  const tokens = Math.ceil(bytes / bytesPerToken)
  if (tokens > window)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: Math.ceil((bytes - taskBytes) / bytesPerToken) > window ? "written" : "call",
        rule: "prompt-too-long",
        part: "instructions",
        message: `Agent "${name}" cannot fit its model: its instructions, context, tools and task have ${bytes} bytes. That is at least ${tokens} tokens, and the model takes ${window}. Shorten them, or choose a model with a larger window.`,
      },
    ])
}
