import type { MontyComplete, MontyNameLookup as Name, MontySnapshot as Paused } from "@pydantic/monty"
import { isMap, type Json } from "../../../ground/message.ts"
import { hostCall } from "../../../language/script/read-pym.ts"
import { createScriptFailure, type LimitType, type ScriptResult } from "../result.ts"
import { createMissingEngineFailure } from "./missing-engine.ts"
import { toPlainJson } from "./plain-json.ts"
import { Printed } from "./printed.ts"
import { type AskHost, type EngineStart, mostSnapshot } from "./protocol.ts"

type Monty = typeof import("@pydantic/monty")

/** Runs a `.pym` script to its end. `refused`: the snapshot does not load. */
export async function runPython(
  start: EngineStart,
  ask: AskHost,
  loaded: () => void,
): Promise<ScriptResult | "refused"> {
  let monty: Monty
  try {
    monty = await import("@pydantic/monty")
  } catch (error) {
    return createMissingEngineFailure("@pydantic/monty@0.0.18", "Python scripts (.pym)", error)
  }
  loaded()
  const printed = new Printed()
  try {
    const result = await new Running(monty, start, printed).run(ask)
    return result === "refused" ? result : { ...result, ...printed.text }
  } catch (error) {
    return { ...toFailure(monty, error), ...printed.text }
  }
}

class Running {
  readonly #monty: Monty
  readonly #start: EngineStart
  readonly #printed: Printed
  /** Milliseconds of computing so far. */
  #spent = 0

  constructor(monty: Monty, start: EngineStart, printed: Printed) {
    this.#monty = monty
    this.#start = start
    this.#printed = printed
  }

  async run(ask: AskHost): Promise<ScriptResult | "refused"> {
    const { MontyComplete } = this.#monty
    const { snapshot, limits } = this.#start
    let state: Progress | undefined = snapshot === undefined ? this.#begin() : this.#load(snapshot)
    if (state === undefined) return "refused"
    while (!(state instanceof MontyComplete)) {
      if (this.#spent > limits.duration)
        return createScriptFailure("LIMIT", `The script computed longer than ${limits.duration} ms.`, {
          limit: "duration",
        })
      const next: Progress | ScriptResult = await this.#step(state, ask)
      if ("error" in next) return next
      state = next
    }
    return toResult(state.output)
  }

  async #step(state: Name | Paused, ask: AskHost): Promise<Progress | ScriptResult> {
    const { MontyNameLookup } = this.#monty
    if (state instanceof MontyNameLookup) {
      // Only the function of the host is a name that the script does not define itself.
      const isHost = state.variableName === hostCall
      return this.#timed(() => (isHost ? state.resume({ value: hostFunction }) : state.resume()))
    }
    const call = readCall(state)
    if (call === undefined || !this.#start.externals.includes(call.name))
      return createScriptFailure(
        "GRAIL",
        `The script calls the external function ${JSON.stringify(call?.name ?? state.functionName)}, which it does not declare.`,
      )
    const saved = state.dump()
    const short = saved.length <= mostSnapshot ? saved.toString("base64") : undefined
    const answer = await ask(call.name, call.input, short)
    // The interpreter counts the time since it started; loading the snapshot starts its clock again.
    const paused = this.#loadOwn(saved)
    return this.#timed(() =>
      "problem" in answer
        ? paused.resume({ exception: { type: answer.problem.kind, message: answer.problem.message } })
        : paused.resume({ returnValue: answer.value }),
    )
  }

  #begin(): Progress {
    const { program, name, inputs } = this.#start
    const { memory, duration, recursion } = this.#start.limits
    const { Monty } = this.#monty
    return this.#timed(() =>
      new Monty(program, { scriptName: name, inputs: Object.keys(inputs) }).start({
        ...(Object.keys(inputs).length > 0 && { inputs }),
        limits: { maxMemory: memory, maxDurationSecs: duration / 1000, maxRecursionDepth: recursion },
        printCallback: this.#print,
      }),
    )
  }

  readonly #print = (_stream: string, text: string): void => this.#printed.add(text)

  #loadOwn(saved: Buffer): Paused {
    return this.#monty.MontySnapshot.load(saved, { printCallback: this.#print })
  }

  /** Undefined: another version of the interpreter wrote it, or it is damaged. */
  #load(snapshot: string): Paused | undefined {
    try {
      return this.#loadOwn(Buffer.from(snapshot, "base64"))
    } catch {
      return undefined
    }
  }

  #timed<Value>(work: () => Value): Value {
    const begun = performance.now()
    try {
      return work()
    } finally {
      this.#spent += performance.now() - begun
    }
  }
}

type Progress = Name | Paused | MontyComplete

const hostFunction = Object.defineProperty(() => {}, "name", { value: hostCall })

/** `__external__("name", {…})`, as the program of a script has it. */
function readCall({ functionName, args, kwargs }: Paused) {
  const [name, input] = args
  const isOurs = functionName === hostCall && args.length === 2 && Object.keys(kwargs).length === 0
  if (!isOurs || typeof name !== "string") return undefined
  const json = toPlainJson(input)
  return "value" in json && isMap(json.value) ? { name, input: json.value } : undefined
}

function toResult(output: unknown): ScriptResult {
  const json = toPlainJson(output)
  return "value" in json ? { error: false, value: json.value as Json } : json.failure
}

function toFailure(monty: Monty, error: unknown): ScriptResult {
  if (!(error instanceof monty.MontyError))
    return createScriptFailure("INTERNAL", `The interpreter failed: ${String(error)}`)
  const { typeName } = error.exception
  const message = error.display("type-msg").slice(0, mostMessage)
  const place = placeOf(error)
  const limit = limitOf(typeName, error.exception.message)
  if (limit) return createScriptFailure("LIMIT", message, { limit, ...place })
  const isUnread =
    error instanceof monty.MontySyntaxError || /^The monty syntax parser/.test(error.exception.message)
  return createScriptFailure(isUnread ? "LOAD_ERROR" : "EXECUTION", message, place)
}

const mostMessage = 2_000

/** The innermost place. A syntax error keeps its place in the native part. */
function placeOf(error: InstanceType<Monty["MontyError"]>): { line?: number; column?: number } {
  const source = error as { traceback?(): readonly Place[]; _native?: { traceback?(): readonly Place[] } }
  const frame = (source.traceback?.() ?? source._native?.traceback?.() ?? []).at(-1)
  return frame ? { line: frame.line, column: frame.column } : {}
}

interface Place {
  readonly line: number
  readonly column: number
}

function limitOf(type: string, message: string): LimitType | undefined {
  if (type === "MemoryError" && /limit exceeded/.test(message)) return "memory"
  if (type === "TimeoutError" && /time limit exceeded/.test(message)) return "duration"
  return type === "RecursionError" ? "recursion" : undefined
}
