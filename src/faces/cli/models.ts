import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../definitions/configuration/folders.ts"
import { modelBounds } from "../../definitions/configuration/model-bounds.ts"
import { type Models, modelSource } from "../../world/models/source.ts"
import type { Surroundings } from "./command.ts"
import { homeOf } from "./settings.ts"

/** Where the models of a configuration come from. */
export function modelsOf(
  { directory, environment, now }: Pick<Surroundings, "directory" | "environment" | "now">,
  configuration: Configuration,
): Models {
  const home = homeOf({ environment })
  const { model, models, presets, providers, subagents } = configuration
  return modelSource({
    presets: { ...models, ...presets },
    providers,
    bounds: modelBounds(configuration),
    ...(model !== undefined && { defaultModel: model }),
    environment,
    home,
    workspace: directory,
    ...(now && { now }),
    userFolder: userConfigurationFolder(environment, home),
    ...(subagents.said && { subagents: "enabled" }),
  })
}
