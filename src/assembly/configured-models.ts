import path from "node:path"
import type { Configuration } from "../definitions/configuration/configuration.ts"
import { locateUserConfiguration } from "../definitions/configuration/folders.ts"
import { getModelBounds } from "../definitions/configuration/model-bounds.ts"
import { createModelSource, type ModelSourceOptions, type Models } from "../world/models/source.ts"

/** The machine and the project to work on, in place of those of the process. */
export interface HostMachine {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  /** The project folder. No key is read from files in it. */
  readonly workspace: string
}

type OfModels = Partial<
  Pick<
    Configuration,
    "models" | "presets" | "providers" | "allowedModels" | "maxModelPrice" | "allowModelOverride"
  >
>

/** The source of the models of a configuration, with their keys. */
export function openConfiguredModels(
  configuration: OfModels | undefined,
  { home, environment, workspace }: HostMachine,
  more: Omit<
    ModelSourceOptions,
    "presets" | "providers" | "bounds" | keyof HostMachine | "userFolder" | "hostSettings"
  >,
): Models {
  return createModelSource({
    presets: { ...configuration?.models, ...configuration?.presets },
    ...(configuration?.providers && { providers: configuration.providers }),
    ...(configuration && { bounds: getModelBounds(configuration) }),
    home,
    environment,
    workspace,
    userFolder: locateUserConfiguration(environment, home),
    hostSettings: async () => {
      const { readCodexSettings } = await import("../definitions/configuration/codex-settings.ts")
      return readCodexSettings({ environment, home, workspace })
    },
    ...more,
  })
}

/** The folder of the user's keys and logins. */
export const locateKeysFolder = ({ environment, home }: Pick<HostMachine, "environment" | "home">): string =>
  path.join(locateUserConfiguration(environment, home), "keys")
