import path from "node:path"
import type { Model, ModelSettings } from "../../agent/model.ts"
import { CadreError, knownNames, nearestName, StartError, shownName } from "../../ground/errors.ts"
import { aliasedModel, bareAliases } from "./aliases.ts"
import { type Binding, bindingFrom, mergedParameters, withEndpoint } from "./binding.ts"
import { isModel } from "./model-settings.ts"
import type { Provider } from "./provider.ts"
import type { ServedUse } from "./served-use.ts"
import { invalid, type Names, type Question, servedUse, type Target } from "./target.ts"

/** The model behind a name: given in code, script, file of weights, preset, provider:name, alias or bare id, in this order. */
export function resolveName(written: string, names: Names, question: Question): Target {
  // Claude Code's way to ask for a longer window, which today's models have anyway.
  const name = written.trim().replace(/\[1m\]$/, "")
  const given = names.given.get(name)
  if (given) return givenTarget(name, given)
  if (name.startsWith("script:")) return { use: { name } }
  if (isFile(name, question)) return { use: servedFromFile(name, question) }
  if (Object.hasOwn(names.presets, name)) return presetTarget(name, names, question)
  if (!isId(name)) throw unknownModel(name, names, question)
  const use =
    servedByPrefix(name, names, question) ??
    servedByAlias(name, names, question) ??
    servedById(name, question)
  if (use) return { use }
  throw unknownModel(name, names, question)
}

/** The model behind a binding that names a provider or a model. */
export function resolveBinding(binding: Binding, names: Names, question: Question): Target {
  const { provider, model, endpoint, parameters, effort } = binding
  const target =
    provider === undefined
      ? resolveName(model ?? "", names, { ...question, ...(endpoint && { endpoint }) })
      : { use: servedByProvider(provider, model, names, question) }
  return {
    ...withEndpoint(target, endpoint, question),
    ...mergedParameters(target.parameters, parameters),
    ...(effort !== undefined && { effort }),
  }
}

function givenTarget(name: string, given: Model | ModelSettings): Target {
  if (isModel(given)) return { use: { name } }
  const { parameters, effort } = given
  return { use: { name }, ...(parameters && { parameters }), ...(effort !== undefined && { effort }) }
}

function presetTarget(name: string, names: Names, question: Question): Target {
  const { owner, trail = [] } = question
  if (trail.includes(name))
    throw invalid(
      owner,
      `the presets ${[...trail, name].join(" → ")} name each other in a circle. Let one of them name a model`,
    )
  const preset = names.presets[name]!
  // What a preset names is the user's own word, and the same for every agent.
  const { ids: _, around: __, ...rest } = question
  const inner = { ...rest, trail: [...trail, name] }
  if (typeof preset === "string") return resolveName(preset, names, inner)
  const binding = bindingFrom(preset, { owner: `${owner}: preset ${JSON.stringify(name)}` })
  if (binding.model === undefined)
    throw invalid(owner, `the preset ${JSON.stringify(name)} names no model. Add \`model\``)
  return resolveBinding(binding, names, inner)
}

function servedByProvider(
  written: string,
  model: string | undefined,
  { environment }: Names,
  question: Question,
): ServedUse {
  const provider = question.providers.find(written)
  if (!provider) throw unknownProvider(written, question)
  if (model !== undefined) return served(provider, model, environment)
  const around = question.around?.()
  if (around?.model !== undefined) {
    question.hear?.(around.saidAt ?? [])
    return servedUse(provider, around.model)
  }
  const current = question.current()
  if (current && "provider" in current && current.provider === provider.id)
    return servedUse(provider, current.model)
  throw invalid(
    question.owner,
    `it names the provider ${provider.id} and no model, and what it would inherit is served by ${current && "provider" in current ? current.provider : "nobody that is known"}. Add \`model\``,
  )
}

/** `provider:name` or `provider/name`. Any other prefix is part of an id. */
function servedByPrefix(
  name: string,
  { environment }: Names,
  { providers, owner }: Question,
): ServedUse | undefined {
  const [, prefix, rest] = /^([^:/]+)([:/].*)$/.exec(name) ?? []
  const provider = providers.find(prefix ?? name)
  if (provider === undefined) return undefined
  const model = rest?.slice(1) ?? ""
  if (model !== "") return served(provider, model, environment)
  const example = [...bareAliases].find(([, id]) => id === provider.id)?.[0] ?? "NAME"
  throw invalid(
    owner,
    `${shownName(name)} is a provider and not a model. Name one of its models, such as ${provider.id}:${example}`,
  )
}

const served = (provider: Provider, model: string, environment: NodeJS.ProcessEnv): ServedUse =>
  servedUse(provider, aliasedModel(provider.id, model, environment) ?? model)

/** `provider:name` is none, however the name ends: some servers call their models by their files. */
const isFile = (name: string, { providers }: Question): boolean =>
  name.endsWith(".gguf") && providers.find(/^([^:/]+):/.exec(name)?.[1] ?? "") === undefined

/** A file of weights: llama-server is started with it, and asked by its name. */
function servedFromFile(name: string, { owner }: Question): ServedUse {
  const model = path.posix.basename(name.replaceAll("\\", "/"), ".gguf")
  if (model !== "" && model !== ".gguf") return { provider: "llama-server", model }
  throw invalid(
    owner,
    `${shownName(name)} names no file of weights. Write its path, such as models/qwen3.gguf, and start llama-server with it`,
  )
}

/** Whoever serves the parent may have the same alias for a model of its own, and has a key. */
function servedByAlias(
  name: string,
  { environment }: Names,
  { current, providers }: Question,
): ServedUse | undefined {
  if (!bareAliases.has(name)) return undefined
  const use = current()
  const near = use && "provider" in use ? providers.serving(use) : undefined
  const provider =
    near !== undefined && aliasedModel(near.id, name, environment) !== undefined
      ? near
      : providers.find(bareAliases.get(name)!)
  const model = provider && aliasedModel(provider.id, name, environment)
  return model === undefined ? undefined : servedUse(provider!, model)
}

function servedById(id: string, question: Question): ServedUse | undefined {
  const { providers, current, endpoint, ids } = question
  const kept = servedByAround(id, question)
  if (kept) return kept
  const owner = providers.ofModel(id)
  if (owner) return servedUse(owner, id)
  if (ids === "known") return undefined
  const use = current()
  const provider = use && "provider" in use ? providers.serving(use) : undefined
  if (provider === undefined || (provider.families !== undefined && endpoint === undefined)) return undefined
  return servedUse(provider, id)
}

/** A host asks its own provider for every model, unless that is known to serve none but others. */
function servedByAround(id: string, { around: ask, providers, hear }: Question): ServedUse | undefined {
  const around = ask?.()
  const provider = around && providers.serving(around)
  if (!around || !provider) return undefined
  const isOwnServer = provider.baseUrlFrom === undefined && provider.endpoint === undefined
  if (isOwnServer && provider.families && !provider.families.test(id)) return undefined
  hear?.(around.saidAt ?? [])
  return servedUse(provider, id)
}

function unknownProvider(name: string, { owner, providers }: Question): CadreError {
  return new CadreError(
    "MODEL_UNKNOWN",
    `${owner}: the provider ${shownName(name)} is not known, so nobody can be asked. ${knownNames(name, providers.names)} One of your own goes below \`providers:\` in the configuration.`,
  )
}

function unknownModel(name: string, { given, presets }: Names, { owner, providers }: Question): CadreError {
  const known = new Set([...given.keys(), ...Object.keys(presets), ...bareAliases.keys()])
  const [, prefix, rest] = /^([^:/]+)([:/].+)$/.exec(name) ?? []
  const provider = prefix && nearestName(prefix.toLowerCase(), providers.names)
  const like = provider ? provider + rest : idOf(name)
  const right = like ?? nearestName(name.toLowerCase(), [...known])
  const meant = like === undefined ? "" : `Did you mean ${shownName(like)}? `
  return new StartError([
    {
      code: "MODEL_UNKNOWN",
      kind: "written",
      message: `${owner}: there is no model ${shownName(name)}, so nothing could be asked. ${meant}${knownNames(name, known)} A model that only its provider knows is written provider:model, such as ollama:qwen3.`,
      ...(right !== undefined && { meant: { wrong: name, right } }),
    },
  ])
}

/** The id behind a title such as `Claude Sonnet 4.5 (copilot)`, which Copilot's files have. */
function idOf(title: string): string | undefined {
  const open = title.endsWith(")") ? title.lastIndexOf("(") : -1
  const bare = (open < 0 ? title : title.slice(0, open).trimEnd()).toLowerCase()
  if (/^claude [a-z]+ \d[\d.]*$/.test(bare)) return bare.replaceAll(/[ .]/g, "-")
  return bare !== title.toLowerCase() && /^[\w.-]+$/.test(bare) && /\d/.test(bare) ? bare : undefined
}

const isId = (name: string): boolean => /^[^\s\p{Cc}\p{Cf}]{1,200}$/u.test(name)
