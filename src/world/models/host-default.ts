import type { HostSettings } from "../../agent/host-settings.ts"
import { knownNames, shownName } from "../../ground/errors.ts"
import { invalid, type ModelAround, type Question } from "./target.ts"

/** The provider and model of a host's own settings, for agents that were written for it. Undefined: they say neither. */
export function hostDefault({ host, providers, owner }: HostChoosing): ModelAround | undefined {
  if (host?.model === undefined && host?.provider === undefined) return undefined
  const { model, provider: named, usualProvider, of } = host
  const provider = providers.find(named?.value ?? usualProvider)
  if (!provider)
    throw invalid(
      owner,
      `${named!.where} is ${shownName(named!.value)}, which is not a known provider. ${knownNames(named!.value, providers.names)} Correct it there, or set a default model`,
    )
  return {
    provider: provider.id,
    ...(provider.overrides && { configuration: of }),
    ...(model && { model: model.value }),
    saidAt: [model, named].flatMap((said) => said?.where ?? []),
  }
}

export interface HostChoosing extends Pick<Question, "providers" | "owner"> {
  /** Of an agent that was written for a host: what the user's settings of that say. */
  readonly host?: HostSettings
}
