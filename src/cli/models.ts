import type { Configuration } from "../configuration/configuration.ts"
import { userConfigurationFolder } from "../configuration/folders.ts"
import { type Models, modelSource } from "../models/source.ts"
import type { Surroundings } from "./command.ts"
import { homeOf } from "./settings.ts"

/** Where the models of a configuration come from. */
export function modelsOf(
  { directory, environment }: Pick<Surroundings, "directory" | "environment">,
  configuration: Configuration,
): Models {
  const home = homeOf({ environment })
  const { model, models, presets, providers, subagents } = configuration
  return modelSource({
    presets: { ...models, ...presets },
    providers,
    ...(model !== undefined && { defaultModel: model }),
    environment,
    home,
    workspace: directory,
    userFolder: userConfigurationFolder(environment, home),
    ...(subagents.said && { subagents: "enabled" }),
  })
}
