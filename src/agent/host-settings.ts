/** A value of a host's settings, and its place, such as `model of ~/.host/config.toml`. */
export interface HostSetting<Value> {
  readonly value: Value
  readonly where: string
}

/** The user's own settings of another program, for definitions that were written for it. */
export interface HostSettings {
  /** The program's name in logs and descriptions. */
  readonly of: string
  /** The file, as it is shown. */
  readonly file: string
  readonly model?: HostSetting<string>
  readonly provider?: HostSetting<string>
  /** The provider to ask if the settings name a model and no provider. */
  readonly usualProvider: string
  /** True if the program's agents may be run, with the place of that setting. */
  readonly enabled?: HostSetting<boolean>
  /** The message for agents that may not be run. */
  readonly refusal: (where: string) => string
  readonly providers: readonly HostProvider[]
  /** The place where the user adds a provider, for messages. */
  readonly providersAt: string
  readonly warnings: readonly string[]
}

/** A provider in such settings. Absent parts are as the provider itself has them. */
export interface HostProvider {
  readonly id: string
  readonly baseUrl?: string
  readonly baseUrlFrom?: string
  readonly protocol?: "openai" | "responses"
  readonly keyVariable?: string
  readonly headers: Readonly<Record<string, string>>
  readonly headerVariables: Readonly<Record<string, string>>
  readonly place: string
}
