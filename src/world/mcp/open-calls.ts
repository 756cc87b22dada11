import type { ToolContext, ToolEffect } from "../../agent/tool.ts"
import type { Json } from "../../ground/message.ts"
import { getRootRun } from "../../run/log/id.ts"
import {
  AskingCall,
  type CallStep,
  type Grants,
  type RepeatState,
  type RequestAnswer,
  type SendCall,
} from "./asking-call.ts"
import { ServerFailure } from "./failure.ts"

const mostIdle = 64

interface OneCall {
  readonly server: string
  readonly effect: ToolEffect
  readonly grants: Grants
  readonly send: SendCall
}

/** The parts of a call's context that say which call it is, and which answer it brings. */
type AskingContext = Pick<ToolContext, "run" | "call" | "answered" | "sampled" | "signal">

/** The state that this file and `AskingCall` keep with a question or a request for the model. */
const stateOf = ({ state }: { readonly state?: Json }) =>
  state as { readonly type: "open" } | RepeatState | undefined

/** The calls whose server waits for a person or for the model, from its request to the answer. */
export class OpenCalls {
  /** By run and call. */
  readonly #calls = new Map<string, AskingCall>()
  /** Controllers of calls that have ended. Making one is the most expensive part of a call. */
  readonly #idle: AbortController[] = []

  /** Makes a call, or goes on with one whose server gets its answer. */
  async call(
    { server, effect, grants, send }: OneCall,
    { run, call, answered, sampled, signal }: AskingContext,
  ): Promise<CallStep> {
    const key = `${run} ${call}`
    const waiting = this.#calls.get(key)
    this.#calls.delete(key)
    const asking = waiting ?? new AskingCall(server, send, grants, this.#idle.pop())
    const requestAnswer: RequestAnswer | undefined = sampled
      ? { type: "reply", ...sampled }
      : answered && { type: "answer", ...answered }
    const step = await this.#goOn(asking, waiting !== undefined, { effect, requestAnswer, signal })
    const asks = step.type === "asks" ? step.question : step.type === "samples" ? step.request : undefined
    if (asks && stateOf(asks)?.type === "open") this.#calls.set(key, asking)
    if (step.type === "result" && !asking.controller.signal.aborted && this.#idle.length < mostIdle)
      this.#idle.push(asking.controller)
    return step
  }

  /** True if a server of the tree has kept a call open. */
  holds(tree: string): boolean {
    return [...this.#calls.keys()].some((key) => getRootRun(key.split(" ")[0]!) === tree)
  }

  /** Ends the open calls of a tree. */
  end(tree: string): void {
    for (const [key, call] of this.#calls)
      if (getRootRun(key.split(" ")[0]!) === tree) {
        this.#calls.delete(key)
        call.end()
      }
  }

  #goOn(
    call: AskingCall,
    isOpen: boolean,
    {
      effect,
      requestAnswer,
      signal,
    }: { effect: ToolEffect; requestAnswer: RequestAnswer | undefined; signal: AbortSignal },
  ): Promise<CallStep> {
    if (!requestAnswer) return call.begin(signal)
    const state = stateOf(requestAnswer.type === "answer" ? requestAnswer.question : requestAnswer.request)
    if (state?.type === "repeat") return call.repeat(state, requestAnswer, signal)
    if (isOpen) return call.goOn(requestAnswer, signal)
    // The process that had the call is gone, and the server with it.
    if (effect === "opaque")
      throw new ServerFailure(
        "lost",
        "the server had begun this call and asked for something in the middle of it. Before the answer came, the server was ended. Check whether the call took effect before you repeat it",
      )
    return call.begin(signal, requestAnswer)
  }
}
