import type { ToolQuestion } from "../../agent/question.ts"
import type { ToolContext, ToolEffect } from "../../agent/tool.ts"
import { rootOf } from "../../run/log/id.ts"
import { AskingCall, type CallStep, type Grants, type RepeatState, type SendCall } from "./asking-call.ts"
import { ServerFailure } from "./failure.ts"

const mostIdle = 64

interface OneCall {
  readonly server: string
  readonly effect: ToolEffect
  readonly grants: Grants
  readonly send: SendCall
}

/** The state that this file and `AskingCall` keep with a question. */
const stateOf = ({ state }: ToolQuestion) => state as { readonly type: "open" } | RepeatState | undefined

/** The calls whose server waits for a person, from the question to its answer. */
export class OpenCalls {
  /** By run and call. */
  readonly #calls = new Map<string, AskingCall>()
  /** Controllers of calls that have ended. Making one is the most expensive part of a call. */
  readonly #idle: AbortController[] = []

  /** Makes a call, or goes on with one whose question was answered. */
  async call(
    { server, effect, grants, send }: OneCall,
    { run, call, answered, signal }: ToolContext,
  ): Promise<CallStep> {
    const key = `${run} ${call}`
    const waiting = this.#calls.get(key)
    this.#calls.delete(key)
    const asking = waiting ?? new AskingCall(server, send, grants, this.#idle.pop())
    const step = await this.#goOn(asking, waiting !== undefined, { effect, answered, signal })
    if (step.type === "asks" && stateOf(step.question)?.type === "open") this.#calls.set(key, asking)
    if (step.type === "result" && !asking.controller.signal.aborted && this.#idle.length < mostIdle)
      this.#idle.push(asking.controller)
    return step
  }

  /** True if a server of the tree has kept a call open. */
  holds(tree: string): boolean {
    return [...this.#calls.keys()].some((key) => rootOf(key.split(" ")[0]!) === tree)
  }

  /** Ends the open calls of a tree. */
  end(tree: string): void {
    for (const [key, call] of this.#calls)
      if (rootOf(key.split(" ")[0]!) === tree) {
        this.#calls.delete(key)
        call.end()
      }
  }

  #goOn(
    call: AskingCall,
    isOpen: boolean,
    { effect, answered, signal }: Pick<ToolContext, "answered" | "signal"> & { effect: ToolEffect },
  ): Promise<CallStep> {
    if (!answered) return call.begin(signal)
    const { question, answer } = answered
    const state = stateOf(question)
    if (state?.type === "repeat") return call.repeat(state, answer, signal)
    if (isOpen) return call.goOn(answer, signal)
    // The process that had the call is gone, and the server with it.
    if (effect === "opaque")
      throw new ServerFailure(
        "lost",
        "the server had begun this call and asked a person in the middle of it. Before the answer came, the server was ended. Check whether the call took effect before you repeat it",
      )
    return call.begin(signal, answered)
  }
}
