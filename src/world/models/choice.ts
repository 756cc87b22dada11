import type { ModelChoice } from "../../agent/agent.ts"
import { getFormatTraits } from "../../agent/format-traits.ts"
import type { ModelRequirement, ModelUse } from "../../agent/model.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { overrideParameters, readBindingFields, withEndpoint } from "./binding.ts"
import { findHostDefault, type HostModelChoosing } from "./host-default.ts"
import { resolveBinding, resolveName } from "./resolve.ts"
import {
  createInvalidModelError,
  createServedUse,
  type ModelNames,
  type ModelTarget,
  type NameQuestion,
} from "./target.ts"

/** The input for choosing the models of one agent. */
export interface ModelChoosing extends NameQuestion, HostModelChoosing {
  readonly names: ModelNames
  readonly wanted: ModelRequirement
  readonly defaultModel?: string
  /** The model of the loop around the runtime. Agents without a caller here inherit it. */
  readonly callersModel?: string
  warn(message: string): void
}

/** Resolves a choice to targets, in the order of attempts. Throws MODEL_UNKNOWN for a name that does not resolve. */
export function resolveTargets(
  wanted: ModelChoice | undefined,
  choosing: ModelChoosing,
): readonly ModelTarget[] {
  const { names, owner } = choosing
  const choice = typeof wanted === "string" ? wanted.trim() : wanted
  if (choice === undefined || choice === "inherit") return inheritTargets(choosing)
  if (choice === null) return [defaultTarget(choosing)]
  if (choice === "default" && !isNamed(choice, names)) return [defaultTarget(choosing)]
  if (typeof choice === "string") return [resolveName(choice, names, choosing)]
  if (!Array.isArray(choice)) return bindingTargets(choice as JsonMap, choosing)
  if (choice.length === 0)
    throw createInvalidModelError(
      owner,
      "its list of models is empty. Name at least one, or remove the list to inherit a model",
    )
  return choice.flatMap((entry, index) => {
    if (typeof entry !== "string" && !isMap(entry))
      throw createInvalidModelError(owner, "a list of models may only contain names and objects")
    try {
      return resolveTargets(entry, choosing)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      throw new StartError(error.problems.map((problem) => ({ ...problem, path: [index] })))
    }
  })
}

function defaultTarget(choosing: ModelChoosing): ModelTarget {
  const { names, defaultModel, providers, onSetting } = choosing
  const host = findHostDefault(choosing)
  if (defaultModel === undefined && host?.model !== undefined) {
    onSetting?.(host.saidAt ?? [])
    return { use: createServedUse(providers.find(host.provider)!, host.model) }
  }
  if (defaultModel === undefined)
    throw new StartError([
      {
        code: "MODEL_UNKNOWN",
        kind: "here",
        setting: "model",
        part: "model",
        message:
          "No default model is set, the agent names no model of its own, and there is no caller whose model it could inherit. Set `model` in the configuration or CADRE_MODEL to a model, such as anthropic:sonnet.",
      },
    ])
  // The default model cannot depend on itself, so `current` is undefined.
  try {
    return resolveName(defaultModel, names, {
      owner: "The default model",
      providers,
      current: () => undefined,
      ...(host && { inherited: () => host }),
      ...(onSetting && { onSetting }),
    })
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    throw new StartError([
      { code: error.code, kind: "written", rule: "model-unknown", setting: "model", message: error.message },
    ])
  }
}

/** The target of agents that inherit a model and have no caller here. */
export const resolveCallersTarget = (choosing: ModelChoosing): ModelTarget =>
  defaultTarget({
    ...choosing,
    ...(choosing.callersModel !== undefined && { defaultModel: choosing.callersModel }),
  })

const isNamed = (name: string, { models, presets }: ModelNames): boolean =>
  models.has(name) || Object.hasOwn(presets, name)

function inheritTargets(choosing: ModelChoosing): readonly ModelTarget[] {
  const { parent = [] } = choosing.wanted
  return parent.length > 0 ? parent.map(targetFrom) : [resolveCallersTarget(choosing)]
}

function targetFrom({ parameters, effort, ...use }: ModelUse): ModelTarget {
  return {
    use,
    ...(parameters && { parameters }),
    ...(effort !== undefined && { effort }),
    inherited: "inherited",
  }
}

function bindingTargets(value: Json, choosing: ModelChoosing): readonly ModelTarget[] {
  const binding = readBindingFields(value, choosing)
  const { provider, model, endpoint, parameters, effort } = binding
  const { providers, wanted, owner, names } = choosing
  if (provider === undefined && model === undefined) {
    const targets = inheritTargets(choosing)
    // A separate endpoint serves one model, so there is no fallback.
    const usedTargets =
      endpoint === undefined ? targets : targets.slice(0, 1).map(({ inherited: _, ...own }) => own)
    return usedTargets.map((target) => ({
      ...withEndpoint(target, endpoint, choosing),
      ...overrideParameters(target.parameters, parameters),
      ...(effort !== undefined && { effort }),
    }))
  }
  if (
    provider !== undefined &&
    providers.find(provider) === undefined &&
    getFormatTraits(wanted.format).unknownProvider === "inherit" &&
    wanted.by !== "call" &&
    wanted.policy === "lenient"
  ) {
    choosing.warn(
      `${owner}: the provider ${JSON.stringify(provider)} is unknown, so the inherited provider, model and endpoint are used. Configure it under \`providers:\`${choosing.host ? `, or under ${choosing.host.providersAt}` : ""}.`,
    )
    return inheritTargets(choosing)
  }
  return [resolveBinding(binding, names, choosing)]
}
