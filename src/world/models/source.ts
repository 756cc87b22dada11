import os from "node:os"
import { getFormatTraits } from "../../agent/format-traits.ts"
import type { HostSettings } from "../../agent/host-settings.ts"
import type { Model, ModelRequirement, ModelSettings, ModelSource } from "../../agent/model.ts"
import { CadreError, rewordError, StartError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { KeyRing } from "./access.ts"
import type { ModelBounds } from "./bounds.ts"
import type { ModelsDescription, Reach } from "./describe.ts"
import { collectSecrets, createKeyStore } from "./keys.ts"
import { isModel, requireKnownSettings, requireModel } from "./model-settings.ts"
import { createModelOpener, type ModelOpener } from "./opener.ts"
import { createProviderList, type ProviderList } from "./provider.ts"
import type { RetiringName } from "./retiring.ts"
import { combineRedaction, createSecrets } from "./secrets.ts"
import type { ModelNames } from "./target.ts"

export interface ModelSourceOptions {
  /** Models by the names that agents use: a model object, or settings to open one. */
  readonly models?: { readonly [name: string]: Model | ModelSettings }
  /**
   * Presets by name, from the configuration. A preset is a model's name, or an object with provider, model, endpoint,
   * parameters, effort, price and window.
   */
  readonly presets?: JsonMap
  /** Providers by id, from the configuration. They override the built-in ones. */
  readonly providers?: JsonMap
  /** The model of agents that name none and have no caller to inherit one from. */
  readonly defaultModel?: string | Model | ModelSettings
  /** The model that agents without a caller here inherit. Default: `defaultModel`. */
  readonly callersModel?: string | Model | ModelSettings
  /** Default: the environment of the process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Default: the home folder of the process. */
  readonly home?: string
  /** Addresses named by files that the user allows to get keys. */
  readonly endpoints?: readonly string[]
  /** The workspace. No key is read from a file inside it. */
  readonly workspace?: string
  /** The folder that is searched for packages of the AI SDK before cadre's own folder. Packages found there are run. */
  readonly packagesFrom?: string
  /** The user's folder, which contains `keys/`. */
  readonly userFolder?: string
  /** Reads the settings of the host that some definitions were written for. Called when such a definition is used. */
  readonly hostSettings?: () => Promise<HostSettings>
  /** cadre's own configuration enables subagents, so a host's setting is ignored. */
  readonly subagents?: "enabled"
  /** Other secrets that must be redacted, besides the keys of models. */
  readonly secrets?: readonly string[]
  /** The models that are allowed. Default: all. */
  readonly bounds?: ModelBounds
  /** The time in milliseconds. Default: the machine's clock. */
  readonly now?: () => number
}

/** The source of models, with descriptions for people. */
export interface Models extends ModelSource {
  /** Describes every provider and name, and the model behind it. Never contains a key. */
  describe(): Promise<ModelsDescription>
  /** Finds the names in a choice whose models are retired, or will be soon. Needs no key. */
  retiring(wanted: ModelRequirement): Promise<readonly RetiringName[]>
  /** Adds a value that must be redacted from now on, such as a token that was renewed during a run. */
  keepSecret(value: string): void
  /** Asks a provider whether it answers. Never throws. */
  reach(provider: string, signal?: AbortSignal): Promise<Reach>
}

/** Finds the models behind names: given in code, in the configuration, of a provider, or by an alias. */
export function createModelSource(options: ModelSourceOptions = {}): Models {
  const {
    presets = {},
    packagesFrom,
    environment = process.env,
    home = os.homedir(),
    now = Date.now,
  } = options
  const namedModels = new Map<string, Model | ModelSettings>()
  const names: ModelNames = { models: namedModels, presets, environment }
  const listedProviders = createProviderList(options.providers ?? {}, environment)
  const secrets = createSecrets(listedProviders.names)
  const { endpoints = [] } = options
  const keys = createKeyStore({ ...options, environment, home }, secrets)
  const ring: KeyRing = { keys, environment, secrets, endpoints }
  /** Models given in code that have keys of their own. */
  const modelsWithKeys: Model[] = []
  collectSecrets(listedProviders.all, environment, secrets)
  for (const secret of options.secrets ?? []) secrets.add(secret)
  for (const [name, model] of Object.entries(options.models ?? {})) addModel(name, model)

  function addModel(name: string, model: Model | ModelSettings): void {
    requireModel(JSON.stringify(name), model)
    if (!isModel(model)) {
      requireKnownSettings(name, model)
      secrets.add(model.apiKey)
    } else if (model.redact && !modelsWithKeys.includes(model)) modelsWithKeys.push(model)
    namedModels.set(name, model)
  }

  function register(model: Model | ModelSettings): string {
    requireModel("that was passed", model)
    const id = isModel(model) ? model.id : `${model.provider ?? "model"}/${model.model}`
    let name = id
    for (let count = 2; namedModels.has(name) && namedModels.get(name) !== model; count++)
      name = `${id}#${count}`
    addModel(name, model)
    return name
  }

  const nameOf = (model: ModelSourceOptions["defaultModel"]) =>
    model === undefined || typeof model === "string" ? model : register(model)
  const defaultModel = nameOf(options.defaultModel)
  const callersModel = nameOf(options.callersModel)

  let settleModule: typeof import("./settle.ts") | undefined
  let hostReading: Promise<HostSettings> | undefined
  /** Reads a host's settings, for files written for that host and for runs of such files. */
  async function withHost(): Promise<{ readonly providers: ProviderList; readonly host?: HostSettings }> {
    if (!options.hostSettings) return { providers: listedProviders }
    const { addHostProviders } = await import("./host-providers.ts")
    hostReading ??= options.hostSettings()
    const host = await hostReading
    const providers = addHostProviders(listedProviders, host)
    if (providers !== listedProviders) collectSecrets(providers.all, environment, secrets)
    return { providers, host }
  }

  const opener: ModelOpener = {
    names,
    providers: listedProviders,
    ring,
    ...(options.bounds && { bounds: options.bounds }),
    ...(packagesFrom !== undefined && { packagesFrom }),
    allProviders: async () => (await withHost()).providers,
  }
  const open = createModelOpener(opener)
  const foresee = createModelOpener({ ...opener, packages: "found" })
  const assumedRing: KeyRing = { ...ring, keys: { ...keys, find: async () => anyKey } }

  /** Redacts error messages, because a user may have written a key where a name belongs. */
  async function withoutSecrets<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      const message = secrets.redact(error.message)
      throw message === error.message ? error : rewordError(error, secrets.redact)
    }
  }

  async function settlingFor(wanted: ModelRequirement, ring: KeyRing) {
    const { providers, host } = getFormatTraits(wanted.format).hostSettings
      ? await withHost()
      : { providers: listedProviders, host: undefined }
    if (host && options.subagents === undefined) requireEnabled(host)
    const settling = {
      names,
      providers,
      ...(host && { host }),
      ring,
      now: now(),
      ...(options.bounds && { bounds: options.bounds }),
      ...(defaultModel !== undefined && { defaultModel }),
      ...(callersModel !== undefined && { callersModel }),
    }
    return { settling, warnings: host?.warnings ?? [] }
  }

  async function settle(wanted: ModelRequirement, ring: KeyRing) {
    const { settling, warnings } = await settlingFor(wanted, ring)
    // The module is kept, because even a repeated import takes time.
    settleModule ??= await import("./settle.ts")
    const result = await settleModule.settleChoice(wanted, settling)
    return { ...result, warnings: [...warnings, ...result.warnings].map(secrets.redact) }
  }

  return {
    resolve: (wanted) => withoutSecrets(settle(wanted, ring)),
    open: (use) => withoutSecrets(open(use)),
    foresee: (use) => withoutSecrets(foresee(use)),
    assumingKeys() {
      const open = createModelOpener({ ...opener, ring: assumedRing, packages: "assumed" })
      return {
        resolve: (wanted) => withoutSecrets(settle(wanted, assumedRing)),
        foresee: (use) => withoutSecrets(open(use)),
      }
    },
    keepsSecrets: () => modelsWithKeys.length > 0 || !secrets.isEmpty(),
    redact: combineRedaction(secrets, modelsWithKeys),
    keepSecret: (value) => secrets.add(value),
    unfinished(text) {
      let longest = secrets.unfinished(text)
      for (const model of modelsWithKeys) longest = Math.max(longest, model.unfinished?.(text) ?? 0)
      return longest
    },
    register,
    async describe() {
      const [{ describeModels }, { getModelId }, { requireAllowed }] = await Promise.all([
        import("./describe.ts"),
        import("./settle.ts"),
        import("./bounds.ts"),
      ])
      const { host, providers } = await withHost()
      const description = await describeModels({
        providers: listedProviders,
        ...(host && {
          host: { settings: host, providers: providers.all.filter(({ source }) => source === host.of) },
        }),
        names,
        keys: ring.keys,
        ...(defaultModel !== undefined && { defaultModel }),
        idOf: (use) => getModelId(use, { names, providers: listedProviders }),
        requireAllowed: (use) =>
          requireAllowed(use, {
            names,
            providers: listedProviders,
            ...(options.bounds && { bounds: options.bounds }),
          }),
      })
      return JSON.parse(secrets.redact(JSON.stringify(description)))
    },
    async retiring(wanted) {
      const [{ findRetiringNames }, { settling }] = await Promise.all([
        import("./retiring.ts"),
        settlingFor(wanted, ring),
      ])
      return findRetiringNames(wanted, settling)
    },
    async reach(provider, signal) {
      const { askProvider } = await import("./describe.ts")
      return askProvider(
        provider,
        listedProviders.find(provider) ? listedProviders : (await withHost()).providers,
        ring,
        signal,
      )
    },
  }
}

/** Throws SUBAGENTS_DISABLED if a host's settings disable its agents. */
function requireEnabled({ enabled, refusal }: HostSettings): void {
  if (enabled?.value !== false) return
  throw new StartError([
    {
      code: "SUBAGENTS_DISABLED",
      kind: "here",
      setting: "subagents.enabled",
      message: refusal(enabled.where),
    },
  ])
}

/** A placeholder for a key that is not looked up, because no request uses it. */
const anyKey = { value: "", as: "key", from: { variable: "" } } as const
