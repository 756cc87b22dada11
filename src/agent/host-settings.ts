/** A value of a host's settings, and where it was said, such as `model of ~/.host/config.toml`. */
export interface Said<Value> {
  readonly value: Value
  readonly where: string
}

/** What the user's own settings of another program say, for definitions that were written for it. */
export interface HostSettings {
  /** Whose they are: the word that logs and descriptions have for it. */
  readonly of: string
  /** The file, as it is shown. */
  readonly file: string
  readonly model?: Said<string>
  readonly provider?: Said<string>
  /** Who is asked where they name a model and no provider. */
  readonly usualProvider: string
  /** Whether its agents may be run. */
  readonly enabled?: Said<boolean>
  /** What is said where they may not. */
  readonly refusal: (where: string) => string
  readonly providers: readonly HostProvider[]
  /** Where its user adds a provider, as messages have it. */
  readonly providersAt: string
  readonly warnings: readonly string[]
}

/** A provider as such settings have it. What they leave out is as the provider itself has it. */
export interface HostProvider {
  readonly id: string
  readonly baseUrl?: string
  readonly baseUrlFrom?: string
  readonly protocol?: "openai" | "responses"
  readonly keyVariable?: string
  readonly headers: Readonly<Record<string, string>>
  readonly headerVariables: Readonly<Record<string, string>>
  readonly saidAt: string
}
