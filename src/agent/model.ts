import type { Attachment, AttachmentType, Json, JsonMap, Message, Usage } from "../ground/message.ts"
import type { JsonSchema } from "../ground/schema/schema.ts"
import type { ModelChoice } from "./agent.ts"

/** A model that can be asked. Contract: a provider's failure is data in the reply, never a throw. */
export interface Model {
  /** The name that was resolved to, such as `openai/gpt-5`. */
  readonly id: string
  /** What the provider is asked for by: what it reports is compared with this. Without it nothing is compared. */
  readonly asks?: string
  /** Per token. Without it a cost limit counts only what replies report. */
  readonly price?: { readonly input: number; readonly output: number }
  /** The most that a token may cost in a request of that size, where that is more: for what a limit on cost lets pass. */
  highestPrice?(inputTokens: number): { readonly input: number; readonly output: number }
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** What it can read beside text. Without it: text only. */
  readonly sees?: readonly AttachmentType[]
  /** Where it is asked, such as `api.openai.com`, for people to read. */
  readonly host?: string
  /** Models of one gate share a provider's rate limit: when one is told to wait, all of them do. */
  readonly gate?: string
  /** Takes the keys it sends out of a text. */
  redact?(text: string): string
  /** How many characters at the end of a text may be the beginning of such a key. */
  unfinished?(text: string): number
  stream(request: ModelRequest, onDelta: (delta: Delta) => void): Promise<ModelReply>
}

export interface ModelRequest {
  readonly run: string
  readonly agent: string
  /** 1 for the first model call of the run. */
  readonly turn: number
  readonly attempt: number
  readonly system: string
  /** Iterate it; it is a view on shared storage and never changes under its holder. */
  readonly messages: Iterable<Message> & { readonly length: number }
  readonly tools: readonly OfferedTool[]
  /** Upper bound on the reply's tokens. Set when a token or cost limit is in force. */
  readonly maxOutputTokens?: number
  /** What is in the attachments of the messages, in base64. Undefined: the blob is gone. */
  contentOf?(attachment: Attachment): string | undefined
  /** What the definition wants sent along, over the client's own; the same object for all calls of a run. */
  readonly parameters?: JsonMap
  /** How hard to think, in the provider's words or in tokens. */
  readonly effort?: string | number
  /** The same for all calls of a run until one is aborted: take back the listeners you give it. */
  readonly signal: AbortSignal
}

/** What a model is told about a tool. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  /** The model is to be held to the schema, where its provider can do that for this one. */
  readonly strict?: true
}

export type Delta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }

export interface ModelReply {
  readonly text: string
  readonly calls: readonly ReplyCall[]
  readonly usage: Usage
  /** `other`: the provider ended it for a reason that is not known here, so nobody can say that it is whole. */
  readonly stop: "end" | "calls" | "length" | "filter" | "other"
  /** The provider's own word for that. */
  readonly finish?: string
  /** It was cut, and had begun so many calls, which are not among `calls`. */
  readonly cutCalls?: number
  /** The model the provider says it ran. */
  readonly model?: string
  /**
   * What the protocol must send again and nobody else can read: kept with the message, and handed back in later
   * requests. Only JSON. A client ignores what another protocol left there.
   */
  readonly provider?: Json
  readonly error?: ModelError
}

/** A tool call as the provider sent it: nothing about it has been checked yet. */
export interface ReplyCall {
  readonly wire: string
  readonly tool: string
  readonly arguments: string
  /** Why the provider itself would not take it: it never runs, and this is its result. */
  readonly problem?: string
}

export interface ModelError {
  readonly kind:
    | "rate-limit"
    | "overloaded"
    | "network"
    | "timeout"
    | "rejected"
    | "overflow"
    | "protocol"
    | "aborted"
  readonly message: string
  readonly retryable: boolean
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
      /** The provider is built in, and is asked as the user's settings of this host say. */
      readonly configuration?: string
    }
) & {
  readonly parameters?: JsonMap
  readonly effort?: string | number
  /** Of one that is not the first: it is asked only where the provider of the one before has no such model. */
  readonly only?: "unknown-model"
}

/** Where models come from. The run core knows only this. */
export interface ModelSource {
  /** What a choice comes to. Asks no provider. Throws MODEL_UNKNOWN, or MODEL_KEY_MISSING where one is needed. */
  settle(wanted: WantedModel): Promise<SettledModel>
  open(use: ModelUse): Promise<Model>
  /** What is known of a model before it is opened: no package of a provider is run for it. Throws as `open` does. */
  foresee?(use: ModelUse): Promise<Pick<Model, "id" | "price" | "window" | "sees">>
  /** The same where every key is there and every package is installed: what is left is wrong in what was written. */
  assumingKeys?(): Required<Pick<ModelSource, "settle" | "foresee">>
  /** Takes in a model, and gives the name it can be opened by. */
  register(model: Model | ModelSettings): string
  /** Whether it knows any key at all: otherwise nothing is searched for one. */
  keepsSecrets(): boolean
  /** Takes every key it knows out of a text. */
  redact(text: string): string
  /** How many characters at the end of a text may be the beginning of a key, so that they are not shown yet. */
  unfinished?(text: string): number
}

export interface WantedModel {
  /** For messages, such as `Agent "reviewer"`. */
  readonly owner: string
  /** Undefined or "inherit": the parent's, or else the default. null: the default. */
  readonly choice: ModelChoice | undefined
  readonly effort?: string | number
  /** The format of the agent's file: some have rules of their own for models. */
  readonly format?: string
  /** A call says it, and not that file: what does not resolve is an error in every format. */
  readonly by?: "call"
  readonly parent?: readonly ModelUse[]
  /** `strict`: what does not resolve is an error in every format. */
  readonly policy: "strict" | "lenient"
}

export interface SettledModel {
  /** In the order they are to be tried; never empty. */
  readonly uses: readonly ModelUse[]
  /** What is not as it was asked for. */
  readonly warnings: readonly string[]
  /** Where that was said which the choice leaves open, such as `model_provider of ~/.codex/config.toml`. */
  readonly saidAt?: readonly string[]
}

/** A model as it is written in code: who serves it, what it is called there, and how to ask for it. */
export interface ModelSettings {
  /** Who serves it, such as `anthropic`, `ollama` or a name of your own. Default: whoever the id is known to be of. */
  readonly provider?: string
  /** How it is spoken to. Default: as its provider is, or else as OpenAI's chat completions. */
  readonly protocol?: ModelProtocol
  /** For the protocol `ai-sdk`: the package that speaks to the provider, such as `@ai-sdk/google`. */
  readonly package?: string
  /** The name the provider knows it by, or an alias such as `sonnet`. */
  readonly model: string
  /** Where the provider is reached. Default: the provider's own address. */
  readonly baseUrl?: string
  /** Sent to the provider alone, and never shown or recorded. Default: the provider's variable of the environment. */
  readonly apiKey?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent along with every request, such as `temperature`. What a definition gives comes over them. */
  readonly parameters?: JsonMap
  /** How hard to think, where a definition does not say. */
  readonly effort?: string | number
  /** US dollars for a million tokens. Default: the table of prices; without either the cost of a run is unknown. */
  readonly price?: TokenPrices
  /** Tokens that a request and its reply may have together. Default: the table of models. */
  readonly window?: number
  /** What it reads besides text. Default: the table of models; of models that are not in it: text only. */
  readonly sees?: readonly ("image" | "pdf")[]
  /** Whether its server holds a model to the schema of `submit_result`. Default: where that is known of it. */
  readonly strictTools?: boolean
}

/** A model as code gives it: a name, a model object, settings to open one, or null for the default. */
export type GivenModel = string | Model | ModelSettings | null

/**
 * How a provider is spoken to: OpenAI's chat completions and responses, Anthropic's messages, and packages of the AI SDK
 * for the rest.
 */
export type ModelProtocol = "openai" | "responses" | "anthropic" | "ai-sdk"

/** US dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly output: number
  /** Tokens that came from the provider's cache. */
  readonly cacheRead?: number
  /** Tokens that were put into the provider's cache. */
  readonly cacheWrite?: number
}
