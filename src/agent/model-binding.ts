import type { JsonMap } from "../ground/message.ts"
import type { KnownOptions } from "../ground/options.ts"

/** A model in parts, in place of one name. */
export interface ModelBinding {
  /**
   * The id of a built-in or configured provider, such as `anthropic`. Absent: the name in `model` decides.
   */
  readonly provider?: string
  /** The provider's name for the model. Without `provider`: a name that the runtime resolves. */
  readonly model?: string
  /** Replaces the provider's base URL for this agent. */
  readonly endpoint?: string
  /** Parameters of every request, such as `temperature`. They override those of the client. */
  readonly parameters?: JsonMap
}

const keys: KnownOptions<ModelBinding> = {
  provider: "known",
  model: "known",
  endpoint: "known",
  parameters: "known",
}

/** The keys of an agent's model, in code and in files. */
export const bindingKeys: readonly string[] = Object.keys(keys)
