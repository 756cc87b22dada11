import { openConfiguredModels } from "../../assembly/configured-models.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import type { Models } from "../../world/models/source.ts"
import type { ProcessContext } from "./command.ts"
import { getHomeFolder } from "./settings.ts"
import { projectRootOf } from "./trust/trust.ts"

/** Builds the source of models for a configuration. */
export function createConfiguredModels(
  { directory, environment, now }: Pick<ProcessContext, "directory" | "environment" | "now">,
  configuration: Configuration,
): Models {
  const { model, subagents } = configuration
  const around = {
    environment,
    home: getHomeFolder({ environment }),
    workspace: projectRootOf({ directory, environment }),
  }
  return openConfiguredModels(configuration, around, {
    ...(model !== undefined && { defaultModel: model }),
    ...(now && { now }),
    ...(subagents.isUserChoice && { subagents: "enabled" }),
  })
}
