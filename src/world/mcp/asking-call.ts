import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import type { SamplingBounds, SamplingReply, SamplingRequest } from "../../agent/sampling.ts"
import { describeThrown } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { InputAnswers, ServerRequest } from "./connection.ts"
import { readElicitation, toElicitationResult } from "./elicitation.ts"
import { ServerFailure } from "./failure.ts"
import { formatSamplingResult, readSampling, type SamplingWords } from "./sampling.ts"

/** How far a call has come: it has a result, or its server waits for a person or for a reply of the model. */
export type CallStep =
  | { readonly type: "result"; readonly result: Json }
  | { readonly type: "asks"; readonly question: ToolQuestion }
  | { readonly type: "samples"; readonly request: SamplingRequest }

/** The thing that a server waited for: the answer of a person, or a reply of the model. */
export type RequestAnswer =
  | { readonly type: "answer"; readonly question: ToolQuestion; readonly answer: QuestionAnswer }
  | { readonly type: "reply"; readonly request: SamplingRequest; readonly reply: SamplingReply }

/** The things that a server may get in the middle of a call, by the name of its request. Absent: it is refused. */
export interface Grants {
  readonly "roots/list"?: () => JsonMap
  /** The bounds for requests for a model. */
  readonly sampling?: SamplingBounds
}

/** Sends a call to the server. `hear` gets the requests that the server has while it works. */
export type SendCall = (options: {
  readonly signal: AbortSignal
  readonly hear: (request: ServerRequest) => Promise<JsonMap>
  readonly isBusy: () => boolean
  readonly answers?: InputAnswers
}) => Promise<Json>

/**
 * One call of a server that may ask before it answers. In the protocol of 2026-07-28 the server ends the call with its
 * questions, and gets the call again with the answers: this survives a restart. Before, it keeps the call open until it has
 * heard: then the answer reaches it only while this object lives.
 */
export class AskingCall {
  readonly #server: string
  readonly #send: SendCall
  readonly #grants: Grants
  readonly controller: AbortController
  #answer: Promise<Json> | undefined
  /** The things that the server waits for, the first one first. */
  readonly #open: Waiting[] = []
  #wake: (() => void) | undefined
  /** The answer to the same request of an earlier attempt. */
  #known: RequestAnswer | undefined

  /** `controller` is this call's alone until the call has ended. */
  constructor(
    server: string,
    send: SendCall,
    grants: Grants,
    controller: AbortController = new AbortController(),
  ) {
    this.controller = controller
    this.#server = server
    this.#send = send
    this.#grants = grants
  }

  /** Begins the call. `earlier` is given to the server without asking again, if it asks the same. */
  begin(signal: AbortSignal, earlier?: RequestAnswer): Promise<CallStep> {
    this.#known = earlier
    this.#start()
    return this.#next(signal)
  }

  /** Hands the answer to the server, which has kept the call open. */
  goOn(input: RequestAnswer, signal: AbortSignal): Promise<CallStep> {
    this.#open.shift()?.settle(resultOf(input))
    return this.#next(signal)
  }

  /** Makes the call again with the answer: its server has ended it with questions. */
  async repeat(state: RepeatState, input: RequestAnswer, signal: AbortSignal): Promise<CallStep> {
    const result = await resultOf(input)
    return this.#collect({ ...state, responses: { ...state.responses, [state.asking]: result } }, signal)
  }

  /** Ends the call. The server is told that the answer is not needed. */
  end(): void {
    this.controller.abort(new ServerFailure("ended", "the call is not needed any more"))
  }

  #start(answers?: InputAnswers): void {
    this.#answer = this.#send({
      signal: this.controller.signal,
      hear: (request) => this.#hear(request),
      isBusy: () => this.#open.length > 0,
      ...(answers && { answers }),
    })
    // It may fail before it is awaited.
    this.#answer.catch(() => {})
  }

  async #next(signal: AbortSignal): Promise<CallStep> {
    const stop = () => this.controller.abort(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop, { once: true })
    try {
      const nextQuestion = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      if (this.#open.length === 0) {
        const result = await Promise.race([this.#answer!, nextQuestion])
        if (result !== undefined) return await this.#read(result, signal)
      }
      const { wish } = this.#open[0]!
      return stepFor(wish, "process", { type: "open" })
    } finally {
      this.#wake = undefined
      signal.removeEventListener("abort", stop)
    }
  }

  async #read(result: Json, signal: AbortSignal, rounds = 0): Promise<CallStep> {
    if (!isMap(result) || result.resultType !== "input_required") return { type: "result", result }
    const { inputRequests = {}, requestState } = result
    if (!isMap(inputRequests) || (requestState !== undefined && typeof requestState !== "string"))
      throw new ServerFailure("answer", "it asked for something in an invalid shape")
    return this.#collect(
      {
        type: "repeat",
        requests: inputRequests,
        responses: {},
        asking: "",
        rounds: rounds + 1,
        ...(requestState !== undefined && { requestState }),
        ...(result.retry === true && { isRetry: true as const }),
      },
      signal,
    )
  }

  /** Answers what it can by itself, then asks the person or the model one thing after the other. */
  async #collect(state: RepeatState, signal: AbortSignal): Promise<CallStep> {
    if (state.rounds > mostRounds)
      throw new ServerFailure("answer", `it asked more than ${mostRounds} times before it answered`)
    const responses: Record<string, JsonMap> = { ...state.responses }
    for (const [key, request] of Object.entries(state.requests)) {
      if (Object.hasOwn(responses, key)) continue
      const { method, params = {} } = isMap(request) ? request : {}
      if (typeof method !== "string" || !isMap(params))
        throw new ServerFailure("answer", "it asked for something in an invalid shape")
      const wish = this.#readWish({ method, params })
      if (!wish) {
        responses[key] = this.#grant(method)
        continue
      }
      const next: RepeatState = { ...state, responses, asking: key }
      if (JSON.stringify(next).length > mostState)
        throw new ServerFailure("answer", "it asked for more than can be kept until there is an answer")
      return stepFor(wish, "log", next as unknown as Json)
    }
    this.#start(
      state.isRetry
        ? undefined
        : {
            inputResponses: responses,
            ...(state.requestState !== undefined && { requestState: state.requestState }),
          },
    )
    const stop = () => this.controller.abort(signal.reason)
    signal.addEventListener("abort", stop, { once: true })
    try {
      return await this.#read(await this.#answer!, signal, state.rounds)
    } finally {
      signal.removeEventListener("abort", stop)
    }
  }

  /** A request that the server has while it keeps the call open. A rejection is the error that it gets. */
  async #hear(request: ServerRequest): Promise<JsonMap> {
    const wish = this.#readWish(request)
    if (!wish) return this.#grant(request.method)
    const earlier = this.#known
    this.#known = undefined
    if (earlier && isSame(wishOf(earlier), wish)) return resultOf(earlier)
    if (this.#open.length >= mostQuestions)
      throw new ServerFailure("answer", `more than ${mostQuestions} questions are open`)
    return new Promise((settle) => {
      this.#open.push({ wish, settle })
      this.#wake?.()
    })
  }

  /** Reads a request that a person or the model has to answer. Undefined: it is another one, or it is not allowed. */
  #readWish({ method, params }: ServerRequest): Wish | undefined {
    const { sampling } = this.#grants
    if (method === elicitation) {
      const read = readElicitation(this.#server, params)
      if ("problem" in read) throw new ServerFailure("answer", `it asked a person, but ${read.problem}`)
      return { type: "asks", question: read.question }
    }
    if (method !== createMessage || !sampling) return undefined
    const read = readSampling(this.#server, params, sampling)
    if ("problem" in read) throw new ServerFailure("answer", `it asked for a model, but ${read.problem}`)
    return { type: "samples", words: read.words }
  }

  #grant(method: string): JsonMap {
    const grant = method === "roots/list" ? this.#grants[method] : undefined
    if (!grant) throw new ServerFailure("answer", refusalOf(method))
    try {
      return grant()
    } catch (error) {
      throw new ServerFailure("answer", describeThrown(error), error)
    }
  }
}

/** A request of a server that a person or the model has to answer. */
type Wish =
  | { readonly type: "asks"; readonly question: ToolQuestion }
  | { readonly type: "samples"; readonly words: SamplingWords }

interface Waiting {
  readonly wish: Wish
  readonly settle: (result: Promise<JsonMap>) => void
}

const stepFor = (wish: Wish, lasts: SamplingRequest["lasts"], state: Json): CallStep =>
  wish.type === "asks"
    ? { type: "asks", question: { ...wish.question, state } }
    : { type: "samples", request: { ...wish.words, lasts, state } }

const wishOf = (input: RequestAnswer): Wish =>
  input.type === "answer"
    ? { type: "asks", question: input.question }
    : { type: "samples", words: input.request }

/** The answer in the words of the protocol. A rejection is the error that the server gets. */
async function resultOf(input: RequestAnswer): Promise<JsonMap> {
  if (input.type === "answer") return toElicitationResult(input.answer)
  if (input.reply.type === "reply") return formatSamplingResult(input.reply)
  throw new ServerFailure("answer", `it asked for a model, but ${input.reply.reason}`)
}

/** The state that the log keeps of a call whose server ended it with questions. */
export interface RepeatState {
  readonly type: "repeat"
  readonly requests: JsonMap
  readonly responses: { readonly [key: string]: JsonMap }
  /** The key of the question that is open. */
  readonly asking: string
  readonly rounds: number
  readonly requestState?: string
  /** The server wants the same call again, without answers in it. */
  readonly isRetry?: true
}

const isSame = (left: Wish, right: Wish): boolean => keyOf(left) === keyOf(right)

function keyOf(wish: Wish): string {
  if (wish.type === "samples") {
    const { system, messages, maxTokens, stopSequences } = wish.words
    return JSON.stringify([system, messages, maxTokens, stopSequences])
  }
  const { text, form, url } = wish.question
  return JSON.stringify([text, form, url])
}

const elicitation = "elicitation/create"
const createMessage = "sampling/createMessage"
const mostRounds = 10
const mostQuestions = 10
const mostState = 65_536

const refusalOf = (method: string): string =>
  method === "roots/list"
    ? "it asked for folders, which its entry does not allow. Call the tool with everything that it needs, or do without it"
    : method === createMessage
      ? "it asked for a model, which its entry does not allow. The user can allow it with `sampling: { requests: 10, tokens: 20000 }` in the server's entry in their own configuration. Do without the tool, or call it so that it needs no model"
      : "it asked for something that is unknown here. Call the tool with everything that it needs, or do without it"
