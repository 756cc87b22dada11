import type { Agent } from "../agent.ts"
import { CadreError } from "../errors.ts"
import type { Limits } from "../limits.ts"
import type { Beginning } from "./begin.ts"
import type { Environment } from "./environment.ts"
import type { StartModel } from "./event.ts"

/** No token stands for more than this many bytes of what people write. */
const bytesPerToken = 8

/** The call's model beats the definition's beats the parent's beats the default. Nothing is asked of a provider yet. */
export async function settleModel(
  { models, modelPolicy, modelOverride }: Pick<Environment, "models" | "modelPolicy" | "modelOverride">,
  { agent, parent, model: called }: Pick<Beginning, "agent" | "parent" | "model">,
  { maxCost }: Limits,
): Promise<{ model: StartModel; window?: number }> {
  if (called !== undefined && (modelOverride === "deny" || agent.allowModelOverride === false))
    throw new CadreError(
      "MODEL_DENIED",
      `Agent "${agent.name}" was to run on ${JSON.stringify(called)}, but ${modelOverride === "deny" ? "the configuration" : "its definition"} does not let a call choose the model. Leave it out.`,
    )
  const choice = called ?? agent.model
  const isInherited = choice === undefined || choice === "inherit"
  const { uses, warnings } = await models.settle({
    owner: `Agent "${agent.name}"`,
    choice,
    policy: modelPolicy,
    ...(agent.effort !== undefined && { effort: agent.effort }),
    // What a call says is nobody's file.
    ...(called === undefined && { format: agent.origin.format }),
    ...(parent && { parent: parent.start!.model.uses.slice(parent.model) }),
  })
  const { id: resolved, window, price } = await models.open(uses[0]!)
  const unpriced =
    maxCost === undefined || price
      ? []
      : [`There is no price for ${resolved}, so the limit on cost counts only what its provider reports.`]
  const model: StartModel = {
    requested: choice ?? null,
    source:
      called !== undefined
        ? "call"
        : isInherited && parent
          ? "parent"
          : isInherited || choice === null
            ? "default"
            : "definition",
    uses,
    resolved,
    ...(modelPolicy === "strict" && { strict: true as const }),
    ...(warnings.length + unpriced.length > 0 && { warnings: [...warnings, ...unpriced] }),
  }
  return { model, ...(window !== undefined && { window }) }
}

/** What every request repeats must fit the model, or no request could ever be answered. */
export function checkFit({ name }: Agent, bytes: number, window: number): void {
  const tokens = Math.ceil(bytes / bytesPerToken)
  if (tokens > window)
    throw new CadreError(
      "AGENT_INVALID",
      `Agent "${name}" cannot fit its model: its instructions, context, tools and task have ${bytes} bytes, which is at least ${tokens} tokens, and the model takes ${window}. Shorten them, or choose a model with a larger window.`,
    )
}
