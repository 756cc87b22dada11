import { readFile } from "node:fs/promises"
import type { Model, ModelError, ModelReply, ModelRequest } from "../../agent/model.ts"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import type { Json, Message, TokenUsage } from "../../ground/message.ts"
import { noUsage } from "../../ground/usage.ts"

/**
 * The replies of each agent, turn by turn. An entry is picked by turn number, so that a resumed run gets the same one.
 */
export interface ModelScript {
  readonly [agent: string]: readonly ScriptedTurn[]
}

/** One reply of a scripted model. */
export interface ScriptedTurn {
  /** Limits the entry to runs whose first message contains this text. Other runs count their turns without it. */
  readonly match?: string
  /** The text of the reply, streamed word by word. Default: empty. */
  readonly text?: string
  /** Tool calls of the reply. `input` becomes JSON; `arguments` is used as it is. Default: none. */
  readonly calls?: readonly {
    readonly tool: string
    readonly input?: unknown
    readonly arguments?: string
    readonly id?: string
  }[]
  /** Default: 10 tokens read, 5 written. `unreported`: the provider reports no usage. */
  readonly usage?: TokenUsage | "unreported"
  /** The reason why the reply ends. Default: `calls` with calls, else `end`. */
  readonly stop?: ModelReply["stop"]
  /** The provider's own word for that reason. */
  readonly finish?: string
  /** Makes the request fail. Absent parts mean a rejected request that is not retried. */
  readonly error?: Partial<ModelError>
  /** Milliseconds before the reply begins. Default: 0. */
  readonly delayMs?: number
}

/**
 * A deterministic model, without network and key, for tests, examples and the demo.
 *
 * @example
 * ```ts
 * import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"
 *
 * const greeter = defineAgent({ name: "greeter", instructions: "Greet the person." })
 * const model = scriptedModel({ greeter: [{ text: "Hello, Ada." }] })
 * const runtime = createRuntime({ agents: [greeter], models: { model }, store: memoryStore() })
 * console.log((await runtime.run("greeter", "Ada has arrived.").done).output)
 * ```
 */
export function scriptedModel(script: ModelScript, id = "script"): Model {
  return {
    id,
    async stream(request, onDelta) {
      const turn = turnOf(script, request)
      if (!turn) return failedReply(`The script has no turn ${request.turn} for agent "${request.agent}".`)
      if (turn.delayMs !== undefined) await pause(turn.delayMs, request.signal)
      if (request.signal.aborted) return failedReply("aborted", "aborted")
      const text = turn.text ?? ""
      for (const word of text.match(/\S+\s*/g) ?? []) onDelta({ type: "text", text: word })
      return {
        text,
        calls: (turn.calls ?? []).map((call, index) => ({
          // Some providers use the same ids in every turn, too.
          wire: call.id ?? `call_${index}`,
          tool: call.tool,
          arguments: call.arguments ?? JSON.stringify(call.input ?? {}),
        })),
        usage: turn.usage === "unreported" ? {} : { inputTokens: 10, outputTokens: 5, ...turn.usage },
        stop: turn.stop ?? (turn.calls?.length ? "calls" : "end"),
        ...(turn.finish !== undefined && { finish: turn.finish }),
        model: id,
        ...(turn.error && {
          error: { kind: "rejected", message: "scripted failure", retryable: false, ...turn.error },
        }),
      }
    },
  }
}

/** Reads a script from a JSON file: `script:FILE` as a model name. */
export async function readScript(file: string): Promise<Model> {
  const script = await readJson(file)
  const { findModelScriptProblems } = await import("./script-problems.ts")
  const problems = findModelScriptProblems(script)
  if (problems.length > 0) throw invalidScript(file, problems.join("\n"))
  return scriptedModel(script as unknown as ModelScript, `script:${file}`)
}

async function readJson(file: string): Promise<Json> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Json
  } catch (error) {
    throw invalidScript(file, describeThrown(error))
  }
}

const invalidScript = (file: string, reason: string): CadreError =>
  new CadreError("SCRIPT_INVALID", `The model script ${file} cannot be read: ${reason}`)

function turnOf(script: ModelScript, request: ModelRequest): ScriptedTurn | undefined {
  const first: Message | undefined = request.messages[Symbol.iterator]().next().value
  const turns = (script[request.agent] ?? []).filter(
    ({ match }) => match === undefined || first?.text.includes(match),
  )
  return turns[request.turn - 1]
}

const failedReply = (message: string, kind: ModelError["kind"] = "rejected"): ModelReply => ({
  text: "",
  calls: [],
  usage: noUsage,
  stop: "other",
  error: { kind, message, retryable: false },
})

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener("abort", finish)
  })
