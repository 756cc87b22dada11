import type { Model, ModelSettings, ModelUse } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { Provider, ProviderList } from "./provider.ts"
import type { ServedUse } from "./served-use.ts"

/** The result of a name or a binding, before a key is looked up. */
export interface ModelTarget {
  readonly use: NamedUse | ServedUse
  readonly parameters?: JsonMap
  readonly effort?: string | number
  /** The model is the parent's, which already uses it. */
  readonly inherited?: "inherited"
}

export interface NamedUse {
  readonly name: string
}

/** The provider that an agent in a host's format inherits, and the model if known. */
export type InheritedModel = Pick<ServedUse, "provider" | "configuration"> & {
  readonly model?: string
  /** The places in the host's settings. */
  readonly saidAt?: readonly string[]
}

/** The sources of names. */
export interface ModelNames {
  readonly models: ReadonlyMap<string, Model | ModelSettings>
  readonly presets: JsonMap
  readonly environment: NodeJS.ProcessEnv
}

export interface NameQuestion {
  /** For messages, such as `Agent "reviewer"`. */
  readonly owner: string
  readonly providers: ProviderList
  /** The parent's model, or else the default. Its provider may serve an id that no other provider knows. */
  current(): ModelUse | undefined
  /** For agents in a host's format: the provider for models without one. */
  inherited?(): InheritedModel | undefined
  /** Called with the places of settings that decided what the choice left open. */
  onSetting?(saidAt: readonly string[]): void
  /** `known`: an unknown id is an error, even if the parent's provider might serve it. */
  readonly ids?: "known"
  /** The presets that led here, to find circles. */
  readonly trail?: readonly string[]
  /** The address of another server, which may serve models that the provider itself does not. */
  readonly endpoint?: string
}

/** Makes the use of a provider's model, as runs record it. */
export const createServedUse = ({ id, overrides, source }: Provider, model: string): ServedUse => ({
  provider: id,
  model,
  ...(overrides && { configuration: source }),
})

export const createInvalidModelError = (owner: string, problem: string): CadreError =>
  new CadreError("MODEL_UNKNOWN", `${owner}: ${problem}.`)
