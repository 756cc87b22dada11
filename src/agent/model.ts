import type { Attachment, AttachmentType, Json, JsonMap, Message, TokenUsage } from "../ground/message.ts"
import type { JsonSchema } from "../ground/schema/schema.ts"
import type { ModelChoice } from "./agent.ts"

/** A model that can be asked. Contract: a provider's failure is data in the reply, never a throw. */
export interface Model {
  /** The resolved name, such as `openai/gpt-5`. */
  readonly id: string
  /**
   * The name of the model in requests to the provider. cadre compares it with the name that the provider reports.
   * Absent: nothing is compared.
   */
  readonly asks?: string
  /** The price per token. Without it a cost limit counts only the costs that replies report. */
  readonly price?: { readonly input: number; readonly output: number }
  /**
   * The highest price of a token in a request of that size. A limit on cost uses it. Absent: `price` is the
   * highest.
   */
  highestPrice?(inputTokens: number): { readonly input: number; readonly output: number }
  /** The tokens that a request and its reply may have together. */
  readonly window?: number
  /** The types that it can read besides text. Absent: text only. */
  readonly sees?: readonly AttachmentType[]
  /** The host that serves the model, such as `api.openai.com`, for people to read. */
  readonly host?: string
  /** Models of one group share a provider's rate limit: when one is told to wait, all of them wait. */
  readonly rateLimitGroup?: string
  /** Removes API keys from a text: those that the model sends to its provider. */
  redact?(text: string): string
  /** The number of characters at the end of a text that may be the beginning of such a key. */
  unfinished?(text: string): number
  /**
   * Asks the model once and reports pieces of the reply as they arrive. Resolves with the whole reply, also
   * after a failure.
   */
  stream(request: ModelRequest, onDelta: (delta: ModelDelta) => void): Promise<ModelReply>
}

/** One request to a model: the whole history, and the tools that it may call. */
export interface ModelRequest {
  /** The id of the run that asks. */
  readonly run: string
  /** The name of the agent of that run. */
  readonly agent: string
  /** 1 for the first model call of the run. */
  readonly turn: number
  /** 1 for the first attempt at this turn. Each retry adds one. */
  readonly attempt: number
  /** The system prompt. Providers get it apart from the messages. */
  readonly system: string
  /** A view on shared storage: iterate it. It never changes, even if the run goes on. */
  readonly messages: Iterable<Message> & { readonly length: number }
  /** The tools that the model may call in this turn. A closing turn has at most `submit_result`. */
  readonly tools: readonly OfferedTool[]
  /** The upper bound on the reply's tokens. Set when a token or cost limit applies. */
  readonly maxOutputTokens?: number
  /** The content of an attachment of the messages, in base64. Returns undefined if the blob is gone. */
  contentOf?(attachment: Attachment): string | undefined
  /**
   * The parameters of the definition. They override the parameters of the model's settings. All requests of a
   * run get the same object.
   */
  readonly parameters?: JsonMap
  /** The reasoning effort, in the provider's words or in tokens. */
  readonly effort?: string | number
  /** All requests of a run share this signal until one request is aborted. Remove the listeners that you add. */
  readonly signal: AbortSignal
}

/** The description of a tool for a model. */
export interface OfferedTool {
  /** The name that a call must use. */
  readonly name: string
  /** The text that tells the model when and how to use the tool. */
  readonly description: string
  /** The JSON Schema of the arguments. Its type is `object`. */
  readonly input: JsonSchema
  /** The provider must make the model keep to the schema, if the provider can do that for this schema. */
  readonly strict?: true
}

/** A piece of a reply while it arrives: text for the user, or reasoning. */
export type ModelDelta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }

/** The answer of a model. A failure is a reply with `error`, and with everything that came before it. */
export interface ModelReply {
  /** The text of the answer. Empty: the model only made calls, or failed. */
  readonly text: string
  /** The tool calls that the model asks for, in order. Empty: there are none. */
  readonly calls: readonly ReplyCall[]
  /** The tokens that the provider reports for this request. Empty: it reports none. */
  readonly usage: TokenUsage
  /** `other`: the provider ended the reply for an unknown reason, so the reply may be incomplete. */
  readonly stop: "end" | "calls" | "length" | "filter" | "other"
  /** The provider's own word for `stop`. */
  readonly finish?: string
  /** The number of calls that were incomplete when the reply was cut off. They are not in `calls`. */
  readonly cutCalls?: number
  /** The model that the provider says it ran. */
  readonly model?: string
  /**
   * Data that only the provider can read. It is kept with the message, and later requests send it again. Only
   * JSON. A model of another protocol ignores it.
   */
  readonly provider?: Json
  /** The failure of the request. Absent: the reply is usable. */
  readonly error?: ModelError
}

/** A tool call as the provider sent it, still unchecked. */
export interface ReplyCall {
  /** The provider's id for the call. Its result is sent back under this id. */
  readonly wire: string
  /** The name of the tool as the model wrote it, even if no such tool exists. */
  readonly tool: string
  /** The arguments as JSON text, exactly as the model wrote them. */
  readonly arguments: string
  /** The reason why the provider itself rejected the call. The call never runs, and the reason is its result. */
  readonly problem?: string
}

/** The failure of a request to a model. */
export interface ModelError {
  /**
   * The class of the failure. `overflow`: the history is too long. `protocol`: the answer could not be
   * read.
   */
  readonly kind:
    | "rate-limit"
    | "overloaded"
    | "network"
    | "timeout"
    | "rejected"
    | "overflow"
    | "protocol"
    | "aborted"
  /** The reason in words, with the provider's own message where there is one. */
  readonly message: string
  /** True: the same request may succeed later, so the run retries it. */
  readonly retryable: boolean
  /** Milliseconds that the provider asks to wait. The run waits at least this long before a retry. */
  readonly retryAfter?: number
  /** The provider has no model of that name. */
  readonly unknownModel?: true
}

/** A model as a run's log names it: enough to open it again, and never a key. */
export type ModelUse = (
  | {
      /** One of the runtime's `models`, or `script:FILE`. */
      readonly name: string
    }
  | {
      readonly provider: string
      readonly model: string
      readonly endpoint?: string
      /** The host whose settings of the user apply to the built-in provider, such as `codex`. */
      readonly configuration?: string
    }
) & {
  readonly parameters?: JsonMap
  readonly effort?: string | number
  /**
   * For a model that is not the first: it is asked only if the provider of the previous model does not know that
   * previous model.
   */
  readonly only?: "unknown-model"
}

/** The source of models. The run core knows nothing else about them. */
export interface ModelSource {
  /**
   * Resolves a choice without asking a provider. Throws MODEL_UNKNOWN, or MODEL_KEY_MISSING where a key is
   * needed.
   */
  resolve(requirement: ModelRequirement): Promise<ResolvedModel>
  open(use: ModelUse): Promise<Model>
  /**
   * The known facts of a model before it is opened, without running a provider's package. Throws as `open`
   * does.
   */
  foresee?(use: ModelUse): Promise<Pick<Model, "id" | "price" | "window" | "sees">>
  /**
   * `resolve` and `foresee` as if every key were set and every package installed. Remaining errors are then in
   * the definition.
   */
  assumingKeys?(): Required<Pick<ModelSource, "resolve" | "foresee">>
  /** Registers a model, and returns the name by which it can be opened. */
  register(model: Model | ModelSettings): string
  /** True if the source knows any keys. Otherwise texts are not searched for them. */
  keepsSecrets(): boolean
  /** Removes all known keys from a text. */
  redact(text: string): string
  /**
   * The number of characters at the end of a text that may be the beginning of a key, so that they are not
   * shown yet.
   */
  unfinished?(text: string): number
}

export interface ModelRequirement {
  /** The beginning of error messages, such as `Agent "reviewer"`. */
  readonly owner: string
  /** Undefined or "inherit": the parent's model, or else the default. null: the default. */
  readonly choice: ModelChoice | undefined
  readonly effort?: string | number
  /** The format of the agent's file: some formats have their own rules for models. */
  readonly format?: string
  /**
   * The choice comes from a call and not from that file: then an unknown model is an error in every format.
   */
  readonly by?: "call"
  readonly parent?: readonly ModelUse[]
  /** `strict`: an unknown model is an error in every format. */
  readonly policy: "strict" | "lenient"
}

export interface ResolvedModel {
  /** The models in the order they are tried; never empty. */
  readonly uses: readonly ModelUse[]
  /** The ways in which the models differ from the choice. */
  readonly warnings: readonly string[]
  /** The places of the settings that decided where the choice did not, such as `model_provider of ~/.codex/config.toml`. */
  readonly settingPlaces?: readonly string[]
}

/** A model as it is written in code: its provider, its name there, and how to ask for it. */
export interface ModelSettings {
  /**
   * The provider, such as `anthropic`, `ollama` or a name of your own. Default: the provider that is known
   * for `model`.
   */
  readonly provider?: string
  /** The protocol of its requests. Default: the provider's protocol, or else OpenAI's chat completions. */
  readonly protocol?: ModelProtocol
  /** For the protocol `ai-sdk`: the package for the provider, such as `@ai-sdk/google`. */
  readonly package?: string
  /** The provider's name for the model, or an alias such as `sonnet`. */
  readonly model: string
  /** The provider's address. Default: the provider's own. */
  readonly baseUrl?: string
  /**
   * Sent to the provider alone, and never shown or recorded. Default: the provider's environment variable.
   */
  readonly apiKey?: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parameters of every request, such as `temperature`. Those of a definition override them. */
  readonly parameters?: JsonMap
  /** The reasoning effort, if a definition does not set it. */
  readonly effort?: string | number
  /**
   * US dollars for a million tokens. Default: the table of prices. Without both, only the costs that replies
   * report are known.
   */
  readonly price?: TokenPrices
  /** The tokens that a request and its reply may have together. Default: the table of models. */
  readonly window?: number
  /**
   * The types that it reads besides text. Default: the table of models, or text only for models that are not
   * in it.
   */
  readonly sees?: readonly ("image" | "pdf")[]
  /**
   * True if the server makes a model keep to the schema of `submit_result`. Default: true if the server is known
   * to do so.
   */
  readonly strictTools?: boolean
}

/** A model as code gives it: a name, a model object, settings to open one, or null for the default. */
export type ModelInput = string | Model | ModelSettings | null

/**
 * The protocol of a provider: OpenAI's chat completions and responses, Anthropic's messages, or packages of
 * the AI SDK for the rest.
 */
export type ModelProtocol = "openai" | "responses" | "anthropic" | "ai-sdk"

/** US dollars for a million tokens. */
export interface TokenPrices {
  /** The price of input tokens that come from no cache. */
  readonly input: number
  /** The price of output tokens, including reasoning. */
  readonly output: number
  /** Tokens that came from the provider's cache. */
  readonly cacheRead?: number
  /** Tokens that were put into the provider's cache. */
  readonly cacheWrite?: number
}
