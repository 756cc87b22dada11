import path from "node:path"
import type { Model, ModelSettings } from "../../agent/model.ts"
import { CadreError, findNearestName, listKnownNames, quoteName, StartError } from "../../ground/errors.ts"
import { bareAliases, resolveAlias } from "./aliases.ts"
import { type BindingFields, overrideParameters, readBindingFields, withEndpoint } from "./binding.ts"
import { isModel } from "./model-settings.ts"
import type { Provider } from "./provider.ts"
import type { ServedUse } from "./served-use.ts"
import {
  createInvalidModelError,
  createServedUse,
  type ModelNames,
  type ModelTarget,
  type NameQuestion,
} from "./target.ts"

/**
 * Resolves a name to a model. The order is: a model from code, a script of answers, a file of weights, a preset,
 * provider:name, an alias, an id.
 */
export function resolveName(text: string, names: ModelNames, question: NameQuestion): ModelTarget {
  // Claude Code writes `[1m]` behind a model to get its longer window. Here a model always has its longest window.
  const name = text.trim().replace(/\[1m\]$/, "")
  const codeModel = names.models.get(name)
  if (codeModel) return givenTarget(name, codeModel)
  if (name.startsWith("script:")) return { use: { name } }
  if (isFile(name, question)) return { use: servedFromFile(name, question) }
  if (Object.hasOwn(names.presets, name)) return presetTarget(name, names, question)
  if (!isValidId(name)) throw unknownModel(name, names, question)
  const use =
    servedByPrefix(name, names, question) ??
    servedByAlias(name, names, question) ??
    servedById(name, question)
  if (use) return { use }
  throw unknownModel(name, names, question)
}

/** Resolves a binding that names a provider or a model. */
export function resolveBinding(
  binding: BindingFields,
  names: ModelNames,
  question: NameQuestion,
): ModelTarget {
  const { provider, model, endpoint, parameters, effort } = binding
  const target =
    provider === undefined
      ? resolveName(model ?? "", names, { ...question, ...(endpoint && { endpoint }) })
      : { use: servedByProvider(provider, model, names, question) }
  return {
    ...withEndpoint(target, endpoint, question),
    ...overrideParameters(target.parameters, parameters),
    ...(effort !== undefined && { effort }),
  }
}

function givenTarget(name: string, codeModel: Model | ModelSettings): ModelTarget {
  if (isModel(codeModel)) return { use: { name } }
  const { parameters, effort } = codeModel
  return { use: { name }, ...(parameters && { parameters }), ...(effort !== undefined && { effort }) }
}

function presetTarget(name: string, names: ModelNames, question: NameQuestion): ModelTarget {
  const { owner, trail = [] } = question
  if (trail.includes(name))
    throw createInvalidModelError(
      owner,
      `the presets ${[...trail, name].join(" → ")} refer to each other in a circle. Make one of them name a model`,
    )
  const preset = names.presets[name]!
  // The user defines presets, so the format of the agent's file does not change what a preset means.
  const { ids: _, inherited: __, ...rest } = question
  const inner = { ...rest, trail: [...trail, name] }
  if (typeof preset === "string") return resolveName(preset, names, inner)
  const binding = readBindingFields(preset, { owner: `${owner}: preset ${JSON.stringify(name)}` })
  if (binding.model === undefined)
    throw createInvalidModelError(owner, `the preset ${JSON.stringify(name)} names no model. Add \`model\``)
  return resolveBinding(binding, names, inner)
}

function servedByProvider(
  text: string,
  model: string | undefined,
  { environment }: ModelNames,
  question: NameQuestion,
): ServedUse {
  const provider = question.providers.find(text)
  if (!provider) throw unknownProvider(text, question)
  if (model !== undefined) return servedModel(provider, model, environment)
  const inherited = question.inherited?.()
  if (inherited?.model !== undefined) {
    question.onSetting?.(inherited.saidAt ?? [])
    return createServedUse(provider, inherited.model)
  }
  const current = question.current()
  if (current && "provider" in current && current.provider === provider.id)
    return createServedUse(provider, current.model)
  throw createInvalidModelError(
    question.owner,
    `it names the provider ${provider.id} but no model, and the inherited model is served by ${current && "provider" in current ? current.provider : "no known provider"}. Add \`model\``,
  )
}

/** Resolves `provider:name` or `provider/name`. A prefix that names no provider is part of an id. */
function servedByPrefix(
  name: string,
  { environment }: ModelNames,
  { providers, owner }: NameQuestion,
): ServedUse | undefined {
  const [, prefix, rest] = /^([^:/]+)([:/].*)$/.exec(name) ?? []
  const provider = providers.find(prefix ?? name)
  if (provider === undefined) return undefined
  const model = rest?.slice(1) ?? ""
  if (model !== "") return servedModel(provider, model, environment)
  const example = [...bareAliases].find(([, id]) => id === provider.id)?.[0] ?? "NAME"
  throw createInvalidModelError(
    owner,
    `${quoteName(name)} is a provider, not a model. Name one of its models, such as ${provider.id}:${example}`,
  )
}

const servedModel = (provider: Provider, model: string, environment: NodeJS.ProcessEnv): ServedUse =>
  createServedUse(provider, resolveAlias(provider.id, model, environment) ?? model)

/** True for a file of weights. `provider:name.gguf` is a model: some servers name their models after files. */
const isFile = (name: string, { providers }: NameQuestion): boolean =>
  name.endsWith(".gguf") && providers.find(/^([^:/]+):/.exec(name)?.[1] ?? "") === undefined

/** Resolves a file of weights. The user must have started llama-server with it. The model is named after the file. */
function servedFromFile(name: string, { owner }: NameQuestion): ServedUse {
  const model = path.posix.basename(name.replaceAll("\\", "/"), ".gguf")
  if (model !== "" && model !== ".gguf") return { provider: "llama-server", model }
  throw createInvalidModelError(
    owner,
    `${quoteName(name)} is not the path of a file of weights. Write a path such as models/qwen3.gguf, and start llama-server with that file`,
  )
}

/** Prefers the provider of the caller's model if it has the same alias, because that provider is certainly set up. */
function servedByAlias(
  name: string,
  { environment }: ModelNames,
  { current, providers }: NameQuestion,
): ServedUse | undefined {
  if (!bareAliases.has(name)) return undefined
  const use = current()
  const parentProvider = use && "provider" in use ? providers.serving(use) : undefined
  const provider =
    parentProvider !== undefined && resolveAlias(parentProvider.id, name, environment) !== undefined
      ? parentProvider
      : providers.find(bareAliases.get(name)!)
  const model = provider && resolveAlias(provider.id, name, environment)
  return model === undefined ? undefined : createServedUse(provider!, model)
}

function servedById(id: string, question: NameQuestion): ServedUse | undefined {
  const { providers, current, endpoint, ids } = question
  const hostUse = servedByInherited(id, question)
  if (hostUse) return hostUse
  const owner = providers.ofModel(id)
  if (owner) return createServedUse(owner, id)
  if (ids === "known") return undefined
  const use = current()
  const provider = use && "provider" in use ? providers.serving(use) : undefined
  if (provider === undefined || (provider.families !== undefined && endpoint === undefined)) return undefined
  return createServedUse(provider, id)
}

/**
 * Agents in the format of a host, such as Codex files, leave the provider to their caller or to that host's settings. That
 * provider serves every id, unless it has its standard address and is known not to serve it.
 */
function servedByInherited(
  id: string,
  { inherited: ask, providers, onSetting }: NameQuestion,
): ServedUse | undefined {
  const inherited = ask?.()
  const provider = inherited && providers.serving(inherited)
  if (!inherited || !provider) return undefined
  const hasStandardAddress = provider.baseUrlFrom === undefined && provider.endpoint === undefined
  if (hasStandardAddress && provider.families && !provider.families.test(id)) return undefined
  onSetting?.(inherited.saidAt ?? [])
  return createServedUse(provider, id)
}

function unknownProvider(name: string, { owner, providers }: NameQuestion): CadreError {
  return new CadreError(
    "MODEL_UNKNOWN",
    `${owner}: the provider ${quoteName(name)} is unknown. ${listKnownNames(name, providers.names)} Add a provider of your own under \`providers:\` in the configuration.`,
  )
}

function unknownModel(
  name: string,
  { models, presets }: ModelNames,
  { owner, providers }: NameQuestion,
): CadreError {
  const candidates = new Set([...models.keys(), ...Object.keys(presets), ...bareAliases.keys()])
  const [, prefix, rest] = /^([^:/]+)([:/].+)$/.exec(name) ?? []
  const provider = prefix && findNearestName(prefix.toLowerCase(), providers.names)
  const suggestion = provider ? provider + rest : idOf(name)
  const replacement = suggestion ?? findNearestName(name.toLowerCase(), [...candidates])
  const hint = suggestion === undefined ? "" : `Did you mean ${quoteName(suggestion)}? `
  return new StartError([
    {
      code: "MODEL_UNKNOWN",
      kind: "written",
      message: `${owner}: there is no model ${quoteName(name)}. ${hint}${listKnownNames(name, candidates)} Write any other model as provider:model, such as ollama:qwen3.`,
      ...(replacement !== undefined && { meant: { wrong: name, right: replacement } }),
    },
  ])
}

/** The id behind a title such as `Claude Sonnet 4.5 (copilot)`, which Copilot's files use. */
function idOf(title: string): string | undefined {
  const open = title.endsWith(")") ? title.lastIndexOf("(") : -1
  const bare = (open < 0 ? title : title.slice(0, open).trimEnd()).toLowerCase()
  if (/^claude [a-z]+ \d[\d.]*$/.test(bare)) return bare.replaceAll(/[ .]/g, "-")
  return bare !== title.toLowerCase() && /^[\w.-]+$/.test(bare) && /\d/.test(bare) ? bare : undefined
}

const isValidId = (name: string): boolean => /^[^\s\p{Cc}\p{Cf}]{1,200}$/u.test(name)
