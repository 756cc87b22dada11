import type { ModelChoice } from "../../agent/agent.ts"
import type { ModelUse, WantedModel } from "../../agent/model.ts"
import { waysOf } from "../../agent/ways.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { bindingFrom, mergedParameters, withEndpoint } from "./binding.ts"
import { type HostChoosing, hostDefault } from "./host-default.ts"
import { resolveBinding, resolveName } from "./resolve.ts"
import { invalid, type Names, type Question, servedUse, type Target } from "./target.ts"

/** What the models of one agent are chosen from. */
export interface Choosing extends Question, HostChoosing {
  readonly names: Names
  readonly wanted: WantedModel
  readonly defaultModel?: string
  /** Of the loop around the runtime: what is inherited where nobody here has called. */
  readonly callersModel?: string
  warn(message: string): void
}

/** What a choice comes to, in the order to be tried. Throws MODEL_UNKNOWN for what does not resolve. */
export function targetsOf(wanted: ModelChoice | undefined, choosing: Choosing): readonly Target[] {
  const { names, owner } = choosing
  const choice = typeof wanted === "string" ? wanted.trim() : wanted
  if (choice === undefined || choice === "inherit") return inherited(choosing)
  if (choice === null) return [defaultTarget(choosing)]
  if (choice === "default" && !isNamed(choice, names)) return [defaultTarget(choosing)]
  if (typeof choice === "string") return [resolveName(choice, names, choosing)]
  if (!Array.isArray(choice)) return bindingTargets(choice as JsonMap, choosing)
  if (choice.length === 0)
    throw invalid(owner, "its list of models is empty. Name at least one, or leave it out to inherit")
  return choice.flatMap((entry, index) => {
    if (typeof entry !== "string" && !isMap(entry))
      throw invalid(owner, "a list of models holds names and objects only")
    try {
      return targetsOf(entry, choosing)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      throw new StartError(error.problems.map((problem) => ({ ...problem, path: [index] })))
    }
  })
}

function defaultTarget(choosing: Choosing): Target {
  const { names, defaultModel, providers, hear } = choosing
  const host = hostDefault(choosing)
  if (defaultModel === undefined && host?.model !== undefined) {
    hear?.(host.saidAt ?? [])
    return { use: servedUse(providers.find(host.provider)!, host.model) }
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
  // What the default comes to cannot depend on the default.
  try {
    return resolveName(defaultModel, names, {
      owner: "The default model",
      providers,
      current: () => undefined,
      ...(host && { around: () => host }),
      ...(hear && { hear }),
    })
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    throw new StartError([
      { code: error.code, kind: "written", rule: "model-unknown", setting: "model", message: error.message },
    ])
  }
}

/** What those have that inherit and that nobody here has called. */
export const callersTarget = (choosing: Choosing): Target =>
  defaultTarget({
    ...choosing,
    ...(choosing.callersModel !== undefined && { defaultModel: choosing.callersModel }),
  })

const isNamed = (name: string, { given, presets }: Names): boolean =>
  given.has(name) || Object.hasOwn(presets, name)

function inherited(choosing: Choosing): readonly Target[] {
  const { parent = [] } = choosing.wanted
  return parent.length > 0 ? parent.map(targetFrom) : [callersTarget(choosing)]
}

function targetFrom({ parameters, effort, ...use }: ModelUse): Target {
  return {
    use,
    ...(parameters && { parameters }),
    ...(effort !== undefined && { effort }),
    inherited: "inherited",
  }
}

function bindingTargets(value: Json, choosing: Choosing): readonly Target[] {
  const binding = bindingFrom(value, choosing)
  const { provider, model, endpoint, parameters, effort } = binding
  const { providers, wanted, owner, names } = choosing
  if (provider === undefined && model === undefined) {
    const targets = inherited(choosing)
    // At an endpoint of its own there is nobody to fall back on.
    const kept = endpoint === undefined ? targets : targets.slice(0, 1).map(({ inherited: _, ...own }) => own)
    return kept.map((target) => ({
      ...withEndpoint(target, endpoint, choosing),
      ...mergedParameters(target.parameters, parameters),
      ...(effort !== undefined && { effort }),
    }))
  }
  if (
    provider !== undefined &&
    providers.find(provider) === undefined &&
    waysOf(wanted.format).unknownProvider === "inherit" &&
    wanted.by !== "call" &&
    wanted.policy === "lenient"
  ) {
    choosing.warn(
      `${owner}: the provider ${JSON.stringify(provider)} is not known, so the provider, model and endpoint that it would inherit are kept, all three. Configure it below \`providers:\`${choosing.host ? `, or below ${choosing.host.providersAt}` : ""}.`,
    )
    return inherited(choosing)
  }
  return [resolveBinding(binding, names, choosing)]
}
