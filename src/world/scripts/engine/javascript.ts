import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type {
  QuickJSContext,
  QuickJSDeferredPromise,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
} from "quickjs-emscripten"
import { isMap, type Json, type JsonMap } from "../../../ground/message.ts"
import { createScriptFailure, type ScriptFailure, type ScriptResult } from "../result.ts"
import { createMissingEngineFailure } from "./missing-engine.ts"
import { Printed } from "./printed.ts"
import { type AskHost, type EngineAnswer, type EngineStart, mostResult } from "./protocol.ts"

/** Runs a script in JavaScript or TypeScript to its end. */
export async function runJavaScript(
  start: EngineStart,
  ask: AskHost,
  loaded: () => void,
): Promise<ScriptResult> {
  const stripTypes = start.language === "typescript" ? await openTypes() : (program: string) => program
  if (typeof stripTypes !== "function") return stripTypes
  let engine: QuickJSWASMModule
  try {
    engine = await openInterpreter()
  } catch (error) {
    return createMissingEngineFailure("quickjs-emscripten", "JavaScript and TypeScript scripts", error)
  }
  loaded()
  const source = stripTypes(start.program)
  if (typeof source !== "string") return source
  const printed = new Printed()
  try {
    const result = await new Running(engine, start, printed).run(source, ask)
    return { ...result, ...printed.text }
  } catch (error) {
    // The native stack or the memory of the interpreter overflowed.
    const isStack = error instanceof RangeError
    const result = isStack
      ? createScriptFailure("LIMIT", "The script calls itself too deeply.", { limit: "recursion" })
      : createScriptFailure("LIMIT", `The interpreter stopped: ${String(error)}`, { limit: "memory" })
    return { ...result, ...printed.text }
  }
}

/** An instance with a memory of its own: nothing of one script is left for the next. They share the compiled code. */
async function openInterpreter(): Promise<QuickJSWASMModule> {
  const { RELEASE_SYNC, newQuickJSWASMModuleFromVariant, newVariant } = await import("quickjs-emscripten")
  compiled ??= await compile(readFileSync(interpreterFile()))
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule: compiled }))
}

/** Compiling takes longer than most scripts. */
let compiled: WebAssembly.Module | undefined

/** The types of Node name the module, but not this function. */
const { compile } = (globalThis as unknown as { readonly WebAssembly: Compiler }).WebAssembly

interface Compiler {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>
}

function interpreterFile(): string {
  const parent = createRequire(import.meta.url).resolve("quickjs-emscripten")
  return createRequire(parent).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")
}

async function openTypes(): Promise<((program: string) => string | ScriptFailure) | ScriptFailure> {
  let amaro: typeof import("amaro")
  try {
    amaro = (await import("amaro")).default
  } catch (error) {
    return createMissingEngineFailure("amaro", "TypeScript scripts", error)
  }
  return (program) => stripTypes(amaro, program)
}

function stripTypes(amaro: typeof import("amaro"), program: string): string | ScriptFailure {
  try {
    return amaro.transformSync(program, { mode: "strip-only" }).code
  } catch (error) {
    const { message, startLine, startColumn } = error as {
      message?: string
      startLine?: number
      startColumn?: number
    }
    return createScriptFailure("LOAD_ERROR", String(message ?? error).slice(0, 2_000), {
      ...(startLine !== undefined && { line: startLine }),
      ...(startColumn !== undefined && { column: startColumn + 1 }),
    })
  }
}

interface WaitingCall {
  readonly name: string
  readonly input: JsonMap
  readonly promise: QuickJSDeferredPromise
}

/** Bytes of the interpreter's stack for each level that `recursion` permits. */
const stackForLevel = 2_048

/** Makes the host's functions, before the script can change anything that they use. */
const boot = `(call, print, end, names, inputs) => {
  const { parse, stringify } = JSON
  const log = (...values) => print(values.map((value) => typeof value === "string" ? value : stringify(value) ?? String(value)).join(" "))
  globalThis.console = { log, info: log, warn: log, error: log, debug: log }
  const externals = {}
  for (const name of parse(names)) externals[name] = async (input = {}) => parse(await call(name, stringify(input)))
  return async (run) => {
    const text = stringify((await run(parse(inputs), externals)) ?? null)
    if (typeof text !== "string") throw new TypeError("the result is not JSON")
    end(text)
  }
}`

class Running {
  readonly #start: EngineStart
  readonly #printed: Printed
  readonly #calls: WaitingCall[] = []
  readonly #runtime: QuickJSRuntime
  readonly #vm: QuickJSContext
  #end: string | undefined
  #until = 0
  #left: number

  constructor(engine: QuickJSWASMModule, start: EngineStart, printed: Printed) {
    this.#start = start
    this.#printed = printed
    this.#left = start.limits.duration
    this.#runtime = engine.newRuntime()
    this.#runtime.setMemoryLimit(start.limits.memory)
    this.#runtime.setMaxStackSize(start.limits.recursion * stackForLevel)
    this.#runtime.setInterruptHandler(() => performance.now() > this.#until)
    this.#vm = this.#runtime.newContext()
  }

  async run(source: string, ask: AskHost): Promise<ScriptResult> {
    const vm = this.#vm
    const invoke = this.#boot()
    const module = this.#timed(() => vm.evalCode(source, this.#start.name, { type: "module" }))
    if (module.error) return this.#failed(module.error, "load")
    const loaded = (await this.#settle(module.value, ask)) ?? this.#namespace(module.value)
    if ("error" in loaded) return loaded
    const run = vm.getProp(loaded, "default")
    if (vm.typeof(run) !== "function")
      return createScriptFailure(
        "LOAD_ERROR",
        "The script has no default export that is a function. Write `export default function (inputs, externals) { … }`.",
      )
    const called = this.#timed(() => vm.callFunction(invoke, vm.undefined, run))
    if (called.error) return this.#failed(called.error)
    return (await this.#settle(called.value, ask)) ?? this.#result()
  }

  #boot(): QuickJSHandle {
    const vm = this.#vm
    const call = vm.newFunction("call", (nameHandle, inputHandle) => {
      const name = vm.getString(nameHandle)
      const input = readInput(vm.getString(inputHandle))
      if (input === undefined) return { error: vm.newError(`The input of ${name} must be an object.`) }
      const promise = vm.newPromise()
      this.#calls.push({ name, input, promise })
      return promise.handle
    })
    const print = vm.newFunction("print", (text) => this.#printed.add(`${vm.getString(text)}\n`))
    const end = vm.newFunction("end", (text) => {
      this.#end = vm.getString(text)
    })
    const { externals, inputs } = this.#start
    const texts = [JSON.stringify(externals), JSON.stringify(inputs)].map((text) => vm.newString(text))
    return this.#timed(() =>
      vm.unwrapResult(
        vm.callFunction(
          vm.unwrapResult(vm.evalCode(boot, "host.js")),
          vm.undefined,
          call,
          print,
          end,
          ...texts,
        ),
      ),
    )
  }

  /** Runs what is waiting, and asks the host, one call after the other. Undefined: the promise is fulfilled. */
  async #settle(promise: QuickJSHandle, ask: AskHost): Promise<ScriptFailure | undefined> {
    for (;;) {
      const pending = this.#timed(() => this.#runtime.executePendingJobs())
      if (pending.error) return this.#failed(pending.error)
      const state = this.#vm.getPromiseState(promise)
      if (state.type === "rejected") return this.#failed(state.error)
      if (state.type === "fulfilled") return undefined
      const call = this.#calls.shift()
      if (!call)
        return createScriptFailure("EXECUTION", "The script waits for a promise that nothing settles.")
      const answer = await ask(call.name, call.input)
      this.#timed(() => settle(this.#vm, call.promise, answer))
    }
  }

  #namespace(module: QuickJSHandle): QuickJSHandle {
    const state = this.#vm.getPromiseState(module)
    return state.type === "fulfilled" ? state.value : module
  }

  #result(): ScriptResult {
    const text = this.#end
    if (text === undefined) return createScriptFailure("EXECUTION", "The script ended without a result.")
    if (text.length > mostResult)
      return createScriptFailure(
        "LIMIT",
        `The result of the script is longer than ${mostResult} characters.`,
        {
          limit: "output",
        },
      )
    return { error: false, value: JSON.parse(text) as Json }
  }

  #failed(handle: QuickJSHandle, during: "load" | "run" = "run"): ScriptFailure {
    const { name, message, stack } = readError(this.#vm, handle)
    const text = `${name}: ${message}`.slice(0, 2_000)
    const place = placeIn(stack, this.#start.name)
    if (name === "InternalError") {
      if (message === "interrupted")
        return createScriptFailure(
          "LIMIT",
          `The script computed longer than ${this.#start.limits.duration} ms.`,
          {
            limit: "duration",
            ...place,
          },
        )
      if (/out of memory|string too long/.test(message))
        return createScriptFailure("LIMIT", text, { limit: "memory", ...place })
      if (message === "stack overflow")
        return createScriptFailure("LIMIT", text, { limit: "recursion", ...place })
    }
    const isUnread = during === "load" && (name === "SyntaxError" || /could not load module/.test(message))
    return createScriptFailure(isUnread ? "LOAD_ERROR" : "EXECUTION", text, place)
  }

  #timed<Value>(work: () => Value): Value {
    const begun = performance.now()
    this.#until = begun + this.#left
    try {
      return work()
    } finally {
      this.#left -= performance.now() - begun
    }
  }
}

function settle(vm: QuickJSContext, promise: QuickJSDeferredPromise, answer: EngineAnswer): void {
  if ("problem" in answer) {
    const { kind, message } = answer.problem
    promise.reject(vm.newError({ name: kind, message }))
  } else promise.resolve(vm.newString(JSON.stringify(answer.value)))
}

function readInput(text: string): JsonMap | undefined {
  const input: unknown = text.length > mostResult ? undefined : JSON.parse(text)
  return isMap(input) ? input : undefined
}

/** Reads the parts of an error as texts. Whatever a script throws, there are some. */
function readError(
  vm: QuickJSContext,
  handle: QuickJSHandle,
): { name: string; message: string; stack: string } {
  const dumped: unknown = vm.dump(handle)
  const text = (value: unknown) => (typeof value === "string" ? value : "")
  if (!isMap(dumped)) return { name: "Thrown", message: String(dumped), stack: "" }
  return {
    name: text(dumped.name) || "Error",
    message: text(dumped.message) || JSON.stringify(dumped).slice(0, 500),
    stack: text(dumped.stack),
  }
}

function placeIn(stack: string, file: string): { line?: number; column?: number } {
  for (const line of stack.split("\n")) {
    const at = line.indexOf(`${file}:`)
    const [, row, column] = /^(\d+)(?::(\d+))?/.exec(at < 0 ? "" : line.slice(at + file.length + 1)) ?? []
    if (row !== undefined)
      return { line: Number(row), ...(column !== undefined && { column: Number(column) }) }
  }
  return {}
}
