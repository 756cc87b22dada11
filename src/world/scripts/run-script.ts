import type { Script } from "../../definitions/scripts/read-script-file.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { giveEngine, takeEngine } from "./engine/pool.ts"
import type { EngineLoss, EngineProcess } from "./engine/process.ts"
import type { EngineAnswer, EngineReply } from "./engine/protocol.ts"
import { readScriptInputs } from "./inputs.ts"
import { limitPresets, type ScriptLimits } from "./limits.ts"
import { createScriptFailure, type ScriptFailure, type ScriptResult } from "./result.ts"

/** One call of a host function by a script. */
export interface ExternalCall {
  /** 0 for the first call of this run of the script. */
  readonly index: number
  readonly name: string
  readonly input: JsonMap
  /** The state of the script at this call, to resume it from. Absent: it would run again from its beginning. */
  readonly snapshot?: string
}

export type ExternalAnswer = EngineAnswer

/** A call with its answer, as it was recorded. */
export interface AnsweredCall {
  readonly name: string
  readonly input: JsonMap
  readonly answer: ExternalAnswer
}

/** A script that waits for the answer of an external call. Plain JSON: another process can resume it. */
export interface PausedScript {
  readonly inputs: JsonMap
  readonly answers: readonly AnsweredCall[]
  /** The call that it waits for. */
  readonly call: Omit<ExternalCall, "snapshot">
  readonly snapshot?: string
}

/** Answers an external call, pauses the script, or ends it. */
export type AnswerCall = (call: ExternalCall, signal: AbortSignal) => Promise<HostAnswer>

export type HostAnswer =
  | ExternalAnswer
  | { readonly type: "pause" }
  | { readonly type: "failed"; readonly failure: ScriptFailure }

export interface ScriptOptions {
  readonly inputs: JsonMap
  readonly external?: AnswerCall
  /** Default: `limitPresets.default`. */
  readonly limits?: ScriptLimits
  /** Milliseconds for everything, with the time in which it waits. Default: five minutes. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** The recorded part of an earlier run with the same inputs. */
  readonly resume?: Pick<PausedScript, "answers" | "snapshot">
}

export type ScriptEnd = ScriptResult | { readonly error: "paused"; readonly paused: PausedScript }

const defaultTimeout = 300_000

/** Runs a `.pym`, JavaScript or TypeScript script in a process of its own. Never throws. */
export async function runScript(script: Script, options: ScriptOptions): Promise<ScriptEnd> {
  const problem = script.problems.find(({ severity }) => severity === "error")
  if (problem)
    return createScriptFailure("GRAIL_CHECK", `${problem.code}: ${problem.message}`, {
      line: problem.line,
      column: problem.column,
    })
  const inputs = readScriptInputs(script.inputs, options.inputs)
  if ("problem" in inputs) return createScriptFailure("GRAIL", inputs.problem)
  return new Running(script, inputs.values, options).run()
}

/** Milliseconds beyond its limit in which the engine stops by itself, before its process is killed. */
const grace = 1_000
/** Milliseconds for the process to start. */
const startTime = 30_000

class Running {
  readonly #script: Script
  readonly #inputs: JsonMap
  readonly #options: ScriptOptions
  readonly #limits: ScriptLimits
  readonly #answers: AnsweredCall[] = []
  #computed = 0

  constructor(script: Script, inputs: JsonMap, options: ScriptOptions) {
    this.#script = script
    this.#inputs = inputs
    this.#options = options
    this.#limits = options.limits ?? limitPresets.default
  }

  async run(): Promise<ScriptEnd> {
    const { timeout = defaultTimeout, signal, resume } = this.#options
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort("timeout"), Math.min(timeout, 2 ** 31 - 1))
    const abort = () => stop.abort("aborted")
    signal?.addEventListener("abort", abort)
    if (signal?.aborted) abort()
    try {
      const end = await this.#attempt(stop.signal, resume?.snapshot)
      if (end !== "snapshot-refused") return end
      const again = await this.#attempt(stop.signal, undefined)
      return again === "snapshot-refused"
        ? createScriptFailure("INTERNAL", "The script cannot be resumed.")
        : again
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
    }
  }

  async #attempt(stop: AbortSignal, snapshot: string | undefined): Promise<ScriptEnd | "snapshot-refused"> {
    const { answers: recorded = [] } = this.#options.resume ?? {}
    this.#answers.length = 0
    if (snapshot !== undefined) this.#answers.push(...recorded)
    this.#computed = 0
    const engine = takeEngine()
    let isWhole = false
    try {
      const ready = await this.#next(engine, stop, startTime)
      if (ready.type !== "ready") return this.#lost(ready, stop)
      engine.send({
        type: "start",
        language: this.#script.language as "python",
        name: this.#script.file.split(/[/\\]/).at(-1)!,
        program: this.#script.program,
        inputs: this.#inputs,
        externals: this.#script.externals.map(({ name }) => name),
        limits: this.#limits,
        ...(snapshot !== undefined && { snapshot }),
      })
      // Loading the interpreter takes seconds where many start at once, and is not the script's fault.
      const first = await this.#next(engine, stop, startTime)
      if (first.type === "late")
        return createScriptFailure(
          "PROCESS_CRASH",
          `The interpreter did not load within ${startTime / 1000} s.`,
        )
      for (
        let reply: EngineReply | EngineLoss | Stopped = first;
        ;
        reply = await this.#compute(engine, stop)
      ) {
        if (reply.type === "loaded") continue
        if (reply.type === "snapshot-refused") {
          isWhole = true
          return reply.type
        }
        if (reply.type === "end") {
          isWhole = reply.isSpent !== true
          return reply.result
        }
        if (reply.type !== "external") return this.#lost(reply, stop)
        const answer = await this.#answer(reply, recorded, stop)
        if (answer.type === "end") return answer.end
        engine.send(answer.answer)
      }
    } finally {
      if (isWhole) giveEngine(engine)
      else engine.kill()
    }
  }

  async #compute(engine: EngineProcess, stop: AbortSignal): Promise<EngineReply | EngineLoss | Stopped> {
    const begun = performance.now()
    const reply = await this.#next(engine, stop, this.#limits.duration - this.#computed + grace)
    this.#computed += performance.now() - begun
    return reply
  }

  async #answer(
    { name, input, snapshot }: Extract<EngineReply, { type: "external" }>,
    recorded: readonly AnsweredCall[],
    stop: AbortSignal,
  ): Promise<{ type: "answer"; answer: ExternalAnswer } | { type: "end"; end: ScriptEnd }> {
    const index = this.#answers.length
    const end = (result: ScriptEnd) => ({ type: "end", end: result }) as const
    if (!this.#script.externals.some((one) => one.name === name))
      return end(
        createScriptFailure(
          "GRAIL",
          `The script calls the external function ${name}, which it does not declare.`,
        ),
      )
    const before = recorded[index]
    if (before) {
      if (before.name !== name || !isSame(before.input, input))
        return end(
          createScriptFailure(
            "INTERNAL",
            `The script did not repeat its call of ${before.name}, so it cannot be resumed.`,
          ),
        )
      this.#answers.push(before)
      return { type: "answer", answer: before.answer }
    }
    const { external } = this.#options
    if (!external) return end(createScriptFailure("GRAIL", `There is no external function ${name} here.`))
    const call: ExternalCall = { index, name, input, ...(snapshot !== undefined && { snapshot }) }
    const answer = await untilStopped(answerOf(external, call, stop), stop)
    if (answer.type === "stopped") return end(this.#stopped(stop))
    if (answer.type === "pause") {
      const paused = { inputs: this.#inputs, answers: [...this.#answers], call: { index, name, input } }
      return end({ error: "paused", paused: { ...paused, ...(snapshot !== undefined && { snapshot }) } })
    }
    if (answer.type === "failed") return end(answer.failure)
    this.#answers.push({ name, input, answer })
    return { type: "answer", answer }
  }

  async #next(
    engine: EngineProcess,
    stop: AbortSignal,
    time: number,
  ): Promise<EngineReply | EngineLoss | Stopped> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Stopped>((resolve) => {
      timer = setTimeout(() => resolve({ type: "late" }), Math.max(0, time))
    })
    try {
      return await untilStopped(Promise.race([engine.next(), late]), stop)
    } finally {
      clearTimeout(timer)
    }
  }

  #lost(reply: EngineReply | EngineLoss | Stopped, stop: AbortSignal): ScriptResult {
    if (reply.type === "stopped") return this.#stopped(stop)
    if (reply.type === "late")
      return createScriptFailure("LIMIT", `The script computed longer than ${this.#limits.duration} ms.`, {
        limit: "duration",
      })
    const why = reply.type === "lost" ? reply.message : `it sent ${reply.type}`
    return createScriptFailure("PROCESS_CRASH", `The process that ran the script was lost: ${why}.`)
  }

  #stopped(stop: AbortSignal): ScriptResult {
    const { timeout = defaultTimeout } = this.#options
    return stop.reason === "timeout"
      ? createScriptFailure("TIMEOUT", `Script execution timed out after ${timeout / 1000} s.`)
      : createScriptFailure("TIMEOUT", "The script was stopped, because its run is stopping.")
  }
}

/** The host is foreign code and may throw. */
async function answerOf(external: AnswerCall, call: ExternalCall, stop: AbortSignal): Promise<HostAnswer> {
  try {
    return await external(call, stop)
  } catch (error) {
    return { type: "answer", problem: { kind: "RuntimeError", message: describeThrown(error) } }
  }
}

type Stopped = { readonly type: "stopped" } | { readonly type: "late" }

function untilStopped<Value>(work: Promise<Value>, stop: AbortSignal): Promise<Value | { type: "stopped" }> {
  return new Promise((resolve, reject) => {
    const end = () => resolve({ type: "stopped" })
    if (stop.aborted) end()
    stop.addEventListener("abort", end, { once: true })
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", end))
  })
}

/** Compares by value. Recorded calls come from JSON, so their keys have the same order. */
const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other)
