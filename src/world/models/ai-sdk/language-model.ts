/** The part of an AI SDK language model that is used here, for versions 2, 3 and 4. */
export interface AiSdkLanguageModel {
  /** The version of the SDK's interface: `v2`, `v3` or `v4`. */
  readonly specificationVersion: string
  /** The provider's name, such as `openai.responses`. */
  readonly provider: string
  /** The provider's name for the model. */
  readonly modelId: string
  /** Sends one request and streams the answer in the SDK's parts. */
  doStream(options: AiSdkCall): PromiseLike<{
    readonly stream: {
      getReader(): {
        read(): PromiseLike<{ readonly done: boolean; readonly value?: unknown }>
        cancel(reason?: unknown): PromiseLike<unknown>
      }
    }
    readonly response?: { readonly headers?: Readonly<Record<string, string>> }
  }>
}

/** The options of a request to such a model. */
export interface AiSdkCall {
  /** The system prompt and the history, as messages of the SDK. */
  readonly prompt: readonly unknown[]
  /** The tools that the model may call, in the form of the SDK. Absent: none. */
  readonly tools?: readonly unknown[]
  /** The upper bound on the reply's tokens. Absent: the provider's own. */
  readonly maxOutputTokens?: number
  /** Aborts when the run stops, or when the provider is silent for too long. */
  readonly abortSignal?: AbortSignal
  /** Further parameters, by the provider's name. Absent: none. */
  readonly providerOptions?: object
}
