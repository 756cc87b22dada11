import type { Configuration } from "../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../definitions/configuration/folders.ts"
import { modelBounds } from "../definitions/configuration/model-bounds.ts"
import { type ModelSourceOptions, type Models, modelSource } from "../world/models/source.ts"

/** Whose machine something works on: nothing of this is taken from the process where it is given. */
export interface Around {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  /** The project: no key is read from in here. */
  readonly workspace: string
}

type OfModels = Partial<
  Pick<
    Configuration,
    "models" | "presets" | "providers" | "allowedModels" | "maxModelPrice" | "allowModelOverride"
  >
>

/** Where the models of a configuration come from, and the keys for them. */
export function configuredModels(
  configuration: OfModels | undefined,
  { home, environment, workspace }: Around,
  more: Omit<
    ModelSourceOptions,
    "presets" | "providers" | "bounds" | keyof Around | "userFolder" | "hostSettings"
  >,
): Models {
  return modelSource({
    presets: { ...configuration?.models, ...configuration?.presets },
    ...(configuration?.providers && { providers: configuration.providers }),
    ...(configuration && { bounds: modelBounds(configuration) }),
    home,
    environment,
    workspace,
    userFolder: userConfigurationFolder(environment, home),
    hostSettings: async () => {
      const { readCodexSettings } = await import("../definitions/configuration/codex-settings.ts")
      return readCodexSettings({ environment, home, workspace })
    },
    ...more,
  })
}
