/** A language model of an AI SDK provider package, of its versions 2, 3 or 4: as much of it as is used here. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  /** Such as `openai.responses`. */
  readonly provider: string
  readonly modelId: string
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

/** What such a model is asked with. */
export interface AiSdkCall {
  readonly prompt: readonly unknown[]
  readonly tools?: readonly unknown[]
  readonly maxOutputTokens?: number
  readonly abortSignal?: AbortSignal
  readonly providerOptions?: object
}
