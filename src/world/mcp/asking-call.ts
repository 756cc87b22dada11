import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import { messageOf } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { InputAnswers, ServerRequest } from "./connection.ts"
import { elicitationResult, readElicitation } from "./elicitation.ts"
import { ServerFailure } from "./failure.ts"

/** How far a call has come: it has a result, or its server waits for a person. */
export type CallStep =
  | { readonly type: "result"; readonly result: Json }
  | { readonly type: "asks"; readonly question: ToolQuestion }

/** The things that a server may get in the middle of a call, by the name of its request. Absent: it is refused. */
export interface Grants {
  readonly "roots/list"?: () => JsonMap
}

/** Sends a call to the server. `hear` gets the requests that the server has while it works. */
export type SendCall = (options: {
  readonly signal: AbortSignal
  readonly hear: (request: ServerRequest) => Promise<JsonMap>
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
  /** Questions that the server waits for, the first one first. */
  readonly #questions: Waiting[] = []
  #wake: (() => void) | undefined
  /** The answer that a person gave to the same question of an earlier attempt. */
  #known: Known | undefined

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
  begin(signal: AbortSignal, earlier?: Known): Promise<CallStep> {
    this.#known = earlier
    this.#start()
    return this.#next(signal)
  }

  /** Hands the person's answer to the server, which has kept the call open. */
  goOn(answer: QuestionAnswer, signal: AbortSignal): Promise<CallStep> {
    this.#questions.shift()?.settle(elicitationResult(answer))
    return this.#next(signal)
  }

  /** Makes the call again with the person's answer: its server has ended it with questions. */
  async repeat(state: RepeatState, answer: QuestionAnswer, signal: AbortSignal): Promise<CallStep> {
    return this.#collect(
      { ...state, responses: { ...state.responses, [state.asking]: elicitationResult(answer) } },
      signal,
    )
  }

  /** Ends the call. The server is told that the answer is not needed. */
  end(): void {
    this.controller.abort(new ServerFailure("ended", "the call is not needed any more"))
  }

  #start(answers?: InputAnswers): void {
    this.#answer = this.#send({
      signal: this.controller.signal,
      hear: (request) => this.#hear(request),
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
      if (this.#questions.length === 0) {
        const result = await Promise.race([this.#answer!, nextQuestion])
        if (result !== undefined) return await this.#read(result, signal)
      }
      const { question } = this.#questions[0]!
      return { type: "asks", question: { ...question, state: { type: "open" } } }
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

  /** Answers what needs no person, then asks the person one question after the other. */
  async #collect(state: RepeatState, signal: AbortSignal): Promise<CallStep> {
    if (state.rounds > mostRounds)
      throw new ServerFailure("answer", `it asked more than ${mostRounds} times before it answered`)
    const responses: Record<string, JsonMap> = { ...state.responses }
    for (const [key, request] of Object.entries(state.requests)) {
      if (Object.hasOwn(responses, key)) continue
      const { method, params = {} } = isMap(request) ? request : {}
      if (typeof method !== "string" || !isMap(params))
        throw new ServerFailure("answer", "it asked for something in an invalid shape")
      if (method !== elicitation) {
        responses[key] = this.#grant({ method, params })
        continue
      }
      const read = readElicitation(this.#server, params)
      if ("problem" in read) throw new ServerFailure("answer", `it asked a person, but ${read.problem}`)
      const next: RepeatState = { ...state, responses, asking: key }
      if (JSON.stringify(next).length > mostState)
        throw new ServerFailure("answer", "it asked for more than can be kept while a person answers")
      return { type: "asks", question: { ...read.question, state: next as unknown as Json } }
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
  async #hear({ method, params }: ServerRequest): Promise<JsonMap> {
    if (method !== elicitation) return this.#grant({ method, params })
    const read = readElicitation(this.#server, params)
    if ("problem" in read) throw new ServerFailure("answer", read.problem)
    const earlier = this.#known
    this.#known = undefined
    if (earlier && isSame(earlier.question, read.question)) return elicitationResult(earlier.answer)
    if (this.#questions.length >= mostQuestions)
      throw new ServerFailure("answer", `more than ${mostQuestions} questions are open`)
    return new Promise((settle) => {
      this.#questions.push({ question: read.question, settle })
      this.#wake?.()
    })
  }

  #grant({ method }: ServerRequest): JsonMap {
    const grant = Object.hasOwn(this.#grants, method) ? this.#grants[method as keyof Grants] : undefined
    if (!grant) throw new ServerFailure("answer", refusalOf(method))
    try {
      return grant()
    } catch (error) {
      throw new ServerFailure("answer", messageOf(error), error)
    }
  }
}

interface Known {
  readonly question: ToolQuestion
  readonly answer: QuestionAnswer
}

interface Waiting {
  readonly question: ToolQuestion
  readonly settle: (result: JsonMap) => void
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

const isSame = (left: ToolQuestion, right: ToolQuestion): boolean =>
  JSON.stringify([left.text, left.form, left.url]) === JSON.stringify([right.text, right.form, right.url])

const elicitation = "elicitation/create"
const mostRounds = 10
const mostQuestions = 10
const mostState = 65_536

const refusalOf = (method: string): string =>
  method === "roots/list"
    ? "it asked for folders, which its entry does not allow. Call the tool with everything that it needs, or do without it"
    : method === "sampling/createMessage"
      ? "it asked for a model, which is not possible here. Call the tool with everything that it needs, or do without it"
      : "it asked for something that is unknown here. Call the tool with everything that it needs, or do without it"
