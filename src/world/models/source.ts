import os from "node:os"
import type { HostSettings } from "../../agent/host-settings.ts"
import type { Model, ModelSettings, ModelSource, WantedModel } from "../../agent/model.ts"
import { waysOf } from "../../agent/ways.ts"
import { CadreError, reworded, StartError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { KeyRing } from "./access.ts"
import type { ModelBounds } from "./bounds.ts"
import type { ModelsDescription, Reach } from "./describe.ts"
import { collectSecrets, keyStore } from "./keys.ts"
import { isModel, requireKnownSettings, requireModel } from "./model-settings.ts"
import { modelOpener, type Opener } from "./opener.ts"
import { type ProviderList, providerList } from "./provider.ts"
import type { RetiringName } from "./retiring.ts"
import { redactAll, secretSet } from "./secrets.ts"
import type { Names } from "./target.ts"

export interface ModelSourceOptions {
  /** Models by the names agents use: a model object, or settings to open one. */
  readonly models?: { readonly [name: string]: Model | ModelSettings }
  /**
   * Presets by name, from the configuration: a model's name, or an object with provider, model, endpoint, parameters,
   * effort, price and window.
   */
  readonly presets?: JsonMap
  /** Providers by id, from the configuration: they come over those built in. */
  readonly providers?: JsonMap
  /** What agents run on that name no model and have nobody to inherit one from. */
  readonly defaultModel?: string | Model | ModelSettings
  /** What those inherit that nobody here has called. Default: `defaultModel`. */
  readonly callersModel?: string | Model | ModelSettings
  /** Default: the environment of the process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Default: the home folder of the process. */
  readonly home?: string
  /** Addresses that files name and that a person lets have keys. */
  readonly endpoints?: readonly string[]
  /** No key is read from in here. */
  readonly workspace?: string
  /** Where packages of the AI SDK are looked for before they are looked for beside cadre. What is found there is run. */
  readonly packagesFrom?: string
  /** Where the person keeps `keys/`. */
  readonly userFolder?: string
  /** Reads the settings of the host that some definitions were written for, when one of these is asked for. */
  readonly hostSettings?: () => Promise<HostSettings>
  /** cadre's own configuration enables them: then a host's does not count. */
  readonly subagents?: "enabled"
  /** Keys of others than models, which nobody may see either. */
  readonly secrets?: readonly string[]
  /** Which models may be asked. Default: all. */
  readonly bounds?: ModelBounds
  /** The time, in milliseconds. Default: the clock of the machine. */
  readonly now?: () => number
}

/** Where models come from, with what a person wants to know of them. */
export interface Models extends ModelSource {
  /** Every provider and every name, and what they come to. Never a key. */
  describe(): Promise<ModelsDescription>
  /** Which names of a choice are those of models that are retired, or soon. No key is needed. */
  retiring(wanted: WantedModel): Promise<readonly RetiringName[]>
  /** Whether a provider answers. Never throws. */
  reach(provider: string, signal?: AbortSignal): Promise<Reach>
}

/** Finds the models behind names: given in code, in the configuration, of a provider, or by an alias. */
export function modelSource(options: ModelSourceOptions = {}): Models {
  const {
    presets = {},
    packagesFrom,
    environment = process.env,
    home = os.homedir(),
    now = Date.now,
  } = options
  const given = new Map<string, Model | ModelSettings>()
  const names: Names = { given, presets, environment }
  const known = providerList(options.providers ?? {}, environment)
  const secrets = secretSet(known.names)
  const { endpoints = [] } = options
  const keys = keyStore({ ...options, environment, home }, secrets)
  const ring: KeyRing = { keys, environment, secrets, endpoints }
  /** Models given in code that know keys of their own. */
  const withKeys: Model[] = []
  collectSecrets(known.all, environment, secrets)
  for (const secret of options.secrets ?? []) secrets.add(secret)
  for (const [name, model] of Object.entries(options.models ?? {})) take(name, model)

  function take(name: string, model: Model | ModelSettings): void {
    requireModel(JSON.stringify(name), model)
    if (!isModel(model)) {
      requireKnownSettings(name, model)
      secrets.add(model.apiKey)
    } else if (model.redact && !withKeys.includes(model)) withKeys.push(model)
    given.set(name, model)
  }

  function register(model: Model | ModelSettings): string {
    requireModel("that was given", model)
    const id = isModel(model) ? model.id : `${model.provider ?? "model"}/${model.model}`
    let name = id
    for (let count = 2; given.has(name) && given.get(name) !== model; count++) name = `${id}#${count}`
    take(name, model)
    return name
  }

  const nameOf = (model: ModelSourceOptions["defaultModel"]) =>
    model === undefined || typeof model === "string" ? model : register(model)
  const defaultModel = nameOf(options.defaultModel)
  const callersModel = nameOf(options.callersModel)

  let loaded: typeof import("./settle.ts") | undefined
  let read: Promise<HostSettings> | undefined
  /** Read for files that were written for a host, and for runs of such files that are opened again. */
  async function withHost(): Promise<{ readonly providers: ProviderList; readonly host?: HostSettings }> {
    if (!options.hostSettings) return { providers: known }
    const { withHostProviders } = await import("./host-providers.ts")
    read ??= options.hostSettings()
    const host = await read
    const providers = withHostProviders(known, host)
    if (providers !== known) collectSecrets(providers.all, environment, secrets)
    return { providers, host }
  }

  const opener: Opener = {
    names,
    known,
    ring,
    ...(options.bounds && { bounds: options.bounds }),
    ...(packagesFrom !== undefined && { packagesFrom }),
    allProviders: async () => (await withHost()).providers,
  }
  const open = modelOpener(opener)
  const foresee = modelOpener({ ...opener, packages: "found" })
  const assumed: KeyRing = { ...ring, keys: { ...keys, find: async () => anyKey } }

  /** Whoever writes a key where a name belongs must not find it in a message. */
  async function withoutSecrets<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      const message = secrets.redact(error.message)
      throw message === error.message ? error : reworded(error, secrets.redact)
    }
  }

  async function settlingFor(wanted: WantedModel, ring: KeyRing) {
    const { providers, host } = waysOf(wanted.format).hostSettings
      ? await withHost()
      : { providers: known, host: undefined }
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

  async function settle(wanted: WantedModel, ring: KeyRing) {
    const { settling, warnings } = await settlingFor(wanted, ring)
    // Kept: an import takes its time even where the file is loaded.
    loaded ??= await import("./settle.ts")
    const settled = await loaded.settleModel(wanted, settling)
    return { ...settled, warnings: [...warnings, ...settled.warnings].map(secrets.redact) }
  }

  return {
    settle: (wanted) => withoutSecrets(settle(wanted, ring)),
    open: (use) => withoutSecrets(open(use)),
    foresee: (use) => withoutSecrets(foresee(use)),
    assumingKeys() {
      const open = modelOpener({ ...opener, ring: assumed, packages: "assumed" })
      return {
        settle: (wanted) => withoutSecrets(settle(wanted, assumed)),
        foresee: (use) => withoutSecrets(open(use)),
      }
    },
    keepsSecrets: () => withKeys.length > 0 || !secrets.isEmpty(),
    redact: redactAll(secrets, withKeys),
    unfinished(text) {
      let longest = secrets.unfinished(text)
      for (const model of withKeys) longest = Math.max(longest, model.unfinished?.(text) ?? 0)
      return longest
    },
    register,
    async describe() {
      const [{ describeModels }, { idOf }, { requireAllowed }] = await Promise.all([
        import("./describe.ts"),
        import("./settle.ts"),
        import("./bounds.ts"),
      ])
      const { host, providers } = await withHost()
      const description = await describeModels({
        providers: known,
        ...(host && {
          host: { settings: host, providers: providers.all.filter(({ source }) => source === host.of) },
        }),
        names,
        keys: ring.keys,
        ...(defaultModel !== undefined && { defaultModel }),
        idOf: (use) => idOf(use, { names, providers: known }),
        requireAllowed: (use) =>
          requireAllowed(use, { names, providers: known, ...(options.bounds && { bounds: options.bounds }) }),
      })
      return JSON.parse(secrets.redact(JSON.stringify(description)))
    },
    async retiring(wanted) {
      const [{ retiringNames }, { settling }] = await Promise.all([
        import("./retiring.ts"),
        settlingFor(wanted, ring),
      ])
      return retiringNames(wanted, settling)
    },
    async reach(provider, signal) {
      const { reachProvider } = await import("./describe.ts")
      return reachProvider(
        provider,
        known.find(provider) ? known : (await withHost()).providers,
        ring,
        signal,
      )
    },
  }
}

/** Throws SUBAGENTS_DISABLED where a host's settings keep its agents from running. */
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

/** What stands for a key that nobody looks for, because nothing is asked with it. */
const anyKey = { value: "", as: "key", from: { variable: "" } } as const
