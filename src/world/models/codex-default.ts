import { knownNames, shownName } from "../../ground/errors.ts"
import type { CodexSettings } from "./codex-settings.ts"
import { invalid, type ModelAround, type Question } from "./target.ts"

/** The provider and model of Codex's own configuration, for agents in Codex files. Undefined: it says neither. */
export function codexDefault({ codex, providers, owner }: CodexChoosing): ModelAround | undefined {
  if (codex?.model === undefined && codex?.provider === undefined) return undefined
  const { model, provider: named } = codex
  const provider = providers.find(named?.value ?? usualProvider)
  if (!provider)
    throw invalid(
      owner,
      `${named!.where} is ${shownName(named!.value)}, which is not a known provider. ${knownNames(named!.value, providers.names)} Correct it there, or set a default model`,
    )
  return {
    provider: provider.id,
    ...(provider.overrides && { configuration: "codex" }),
    ...(model && { model: model.value }),
    saidAt: [model, named].flatMap((said) => said?.where ?? []),
  }
}

export interface CodexChoosing extends Pick<Question, "providers" | "owner"> {
  /** Of an agent in a Codex file: what the user's Codex configuration says. */
  readonly codex?: CodexSettings
}

/** Codex's own default. */
const usualProvider = "openai"
