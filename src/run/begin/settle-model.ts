import type { Agent, ModelChoice } from "../../agent/agent.ts"
import type { SettledModel } from "../../agent/model.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { Limits } from "../../ground/limits.ts"
import type { StartModel } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import { inOrder, type ModelRank, precedence } from "../rights/precedence.ts"
import { kindOf } from "./kind.ts"
import { problemsOf } from "./start-problem.ts"

/** No token stands for more than this many bytes of what people write. */
const bytesPerToken = 8

type Chosen = Pick<Beginning, "agent" | "parent" | "model">

/** One who says which model, and what: as it is written. */
export interface ModelSaying {
  readonly source: StartModel["source"]
  readonly choice: ModelChoice | undefined
}

/** The model that the first of them says. Nothing is asked of a provider yet. */
export async function settleModel(
  environment: Surroundings,
  chosen: Chosen,
  limits: Limits,
): Promise<{ model: StartModel; window?: number }> {
  checkOverride(environment, chosen)
  return settleChosen(environment, chosen, limits)
}

/** The same, whoever may choose. */
export async function settleChosen(
  environment: Surroundings,
  chosen: Chosen,
  { maxCost }: Limits,
): Promise<{ model: StartModel; window?: number }> {
  const { models, modelPolicy } = environment
  const [first] = modelSayings(chosen)
  if (kindOf(chosen.agent) === "command") return { model: ofProgram(chosen, first!) }
  const settled = await settleSaying(environment, chosen, first!).catch((error) => {
    if (isNeeded(chosen, first!) || !(error instanceof CadreError)) throw asSaid(error, first!)
  })
  if (!settled) return { model: { requested: null, source: first!.source, uses: [], resolved: "none" } }
  const { uses, warnings } = settled
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
function asSaid(error: unknown, { source }: ModelSaying): unknown {
  if (!(error instanceof CadreError)) return error
  return new StartError(problemsOf(error).map((problem) => ({ ...problem, ...namedBy(source, problem) })))
}

function namedBy(source: ModelSaying["source"], { kind, setting }: StartProblem): Partial<StartProblem> {
  if (setting !== undefined) return {}
  if (source === "definition")
    return { part: "model", ...(kind !== "here" && { kind: "written", rule: "model-unknown" }) }
  if (kind !== "here" || source === "call") return { kind: "call" }
  return source === "default" ? { setting: "model" } : {}
}

/** What a program calls its models is nothing that can be settled here. */
const ofProgram = ({ agent }: Chosen, { source, choice }: ModelSaying): StartModel => ({
  requested: source === "call" || source === "definition" ? (choice ?? null) : null,
  source,
  uses: [],
  resolved: `executor:${agent.executor}`,
})

/** A run that no model drives has one only for its children to inherit, who may all name their own. */
const isNeeded = ({ agent }: Pick<Chosen, "agent">, { source }: Pick<ModelSaying, "source">): boolean =>
  kindOf(agent) === "agent" || source === "call" || source === "definition"

/** Who says which model, the first to win first. A definition's `null` is the default, before any parent's. */
export function modelSayings({ agent, parent, model: called }: Chosen): readonly ModelSaying[] {
  const written = agent.model
  const inherits = written === undefined || written === "inherit"
  return inOrder<ModelRank, ModelSaying>(precedence.model, {
    call: called === undefined ? undefined : { source: "call", choice: called },
    definition: inherits
      ? undefined
      : { source: written === null ? "default" : "definition", choice: written },
    parent: parent && { source: "parent", choice: inherits ? written : "inherit" },
    default: written === null ? undefined : { source: "default", choice: inherits ? written : null },
  }).map(({ values }) => values)
}

/** What it comes to. */
export const settleSaying = (
  { models, modelPolicy }: Surroundings,
  { agent, parent }: Chosen,
  { source, choice }: ModelSaying,
): Promise<SettledModel> =>
  models.settle({
    owner: `Agent "${agent.name}"`,
    choice,
    policy: modelPolicy,
    ...(agent.effort !== undefined && { effort: agent.effort }),
    format: agent.origin.format,
    ...(source === "call" && { by: "call" as const }),
    ...(parent && { parent: parent.start!.model.uses.slice(parent.model) }),
  })

/** Throws MODEL_DENIED where a call chooses, and may not. */
export function checkOverride({ modelOverride }: Surroundings, { agent, model: called }: Chosen): void {
  if (called !== undefined && (modelOverride === "deny" || agent.allowModelOverride === false))
    throw new CadreError(
      "MODEL_DENIED",
      `Agent "${agent.name}" was to run on ${JSON.stringify(called)}, but ${modelOverride === "deny" ? "the configuration" : "its definition"} does not let a call choose the model. Leave it out.`,
    )
}

/** What every request repeats must fit the model, or no request could ever be answered. */
export function checkFit({ name }: Agent, bytes: number, taskBytes: number, window: number): void {
  const tokens = Math.ceil(bytes / bytesPerToken)
  if (tokens > window)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: Math.ceil((bytes - taskBytes) / bytesPerToken) > window ? "written" : "call",
        rule: "prompt-too-long",
        part: "instructions",
        message: `Agent "${name}" cannot fit its model: its instructions, context, tools and task have ${bytes} bytes, which is at least ${tokens} tokens, and the model takes ${window}. Shorten them, or choose a model with a larger window.`,
      },
    ])
}
