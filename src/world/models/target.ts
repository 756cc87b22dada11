import type { Model, ModelSettings, ModelUse } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { Provider, ProviderList } from "./provider.ts"
import type { ServedUse } from "./served-use.ts"

/** What a name or a binding comes to, before anybody asked for a key. */
export interface Target {
  readonly use: NamedUse | ServedUse
  readonly parameters?: JsonMap
  readonly effort?: string | number
  /** It is the parent's, who has it at work already. */
  readonly inherited?: "inherited"
}

export interface NamedUse {
  readonly name: string
}

/** Who serves what is around an agent of a host, and with which model where that is known. */
export type ModelAround = Pick<ServedUse, "provider" | "configuration"> & {
  readonly model?: string
  /** Where the host's settings say so. */
  readonly saidAt?: readonly string[]
}

/** Where names are looked up. */
export interface Names {
  readonly given: ReadonlyMap<string, Model | ModelSettings>
  readonly presets: JsonMap
  readonly environment: NodeJS.ProcessEnv
}

export interface Question {
  /** For messages, such as `Agent "reviewer"`. */
  readonly owner: string
  readonly providers: ProviderList
  /** What the parent runs on, or else the default: whoever serves it may serve an id that nobody knows. */
  current(): ModelUse | undefined
  /** For agents that were written for a host: a model without a provider is asked of the host's own. */
  around?(): ModelAround | undefined
  /** Hears where something was said that the choice itself leaves open. */
  hear?(saidAt: readonly string[]): void
  /** `known`: an id that nobody knows is none, even where whoever serves the parent might serve it. */
  readonly ids?: "known"
  /** Presets on the way here. */
  readonly trail?: readonly string[]
  /** Another server is named, which may serve what the provider itself does not. */
  readonly endpoint?: string
}

/** A model of a provider, as a run names it. */
export const servedUse = ({ id, overrides, source }: Provider, model: string): ServedUse => ({
  provider: id,
  model,
  ...(overrides && { configuration: source }),
})

export const invalid = (owner: string, problem: string): CadreError =>
  new CadreError("MODEL_UNKNOWN", `${owner}: ${problem}.`)
