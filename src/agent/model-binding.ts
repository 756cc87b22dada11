import type { JsonMap } from "../ground/message.ts"
import type { KnownOptions } from "../ground/options.ts"

export interface ModelBinding {
  readonly provider?: string
  readonly model?: string
  /** Replaces the provider's base URL for this agent. */
  readonly endpoint?: string
  readonly parameters?: JsonMap
}

const keys: KnownOptions<ModelBinding> = {
  provider: "known",
  model: "known",
  endpoint: "known",
  parameters: "known",
}

/** What an agent's model can say, in code and in files. */
export const bindingKeys: readonly string[] = Object.keys(keys)
