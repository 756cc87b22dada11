import { configuredModels } from "../../assembly/configured-models.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import type { Models } from "../../world/models/source.ts"
import type { Surroundings } from "./command.ts"
import { homeOf } from "./settings.ts"
import { rootOf } from "./trust/trust.ts"

/** Where the models of a configuration come from. */
export function modelsOf(
  { directory, environment, now }: Pick<Surroundings, "directory" | "environment" | "now">,
  configuration: Configuration,
): Models {
  const { model, subagents } = configuration
  const around = {
    environment,
    home: homeOf({ environment }),
    workspace: rootOf({ directory, environment }),
  }
  return configuredModels(configuration, around, {
    ...(model !== undefined && { defaultModel: model }),
    ...(now && { now }),
    ...(subagents.said && { subagents: "enabled" }),
  })
}
