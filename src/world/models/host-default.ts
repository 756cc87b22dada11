import type { HostSettings } from "../../agent/host-settings.ts"
import { listKnownNames, quoteName } from "../../ground/errors.ts"
import { createInvalidModelError, type InheritedModel, type NameQuestion } from "./target.ts"

/**
 * The provider and model from a host's own settings, for agents that were written for it. Undefined: the settings name
 * neither.
 */
export function findHostDefault({ host, providers, owner }: HostModelChoosing): InheritedModel | undefined {
  if (host?.model === undefined && host?.provider === undefined) return undefined
  const { model, provider: hostProvider, usualProvider, of } = host
  const provider = providers.find(hostProvider?.value ?? usualProvider)
  if (!provider)
    throw createInvalidModelError(
      owner,
      `${hostProvider!.where} is ${quoteName(hostProvider!.value)}, which is not a known provider. ${listKnownNames(hostProvider!.value, providers.names)} Correct it there, or set a default model`,
    )
  return {
    provider: provider.id,
    ...(provider.overrides && { configuration: of }),
    ...(model && { model: model.value }),
    saidAt: [model, hostProvider].flatMap((setting) => setting?.where ?? []),
  }
}

export interface HostModelChoosing extends Pick<NameQuestion, "providers" | "owner"> {
  /** For an agent that was written for a host: the user's settings of that host. */
  readonly host?: HostSettings
}
