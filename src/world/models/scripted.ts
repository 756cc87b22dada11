import { readFile } from "node:fs/promises"
import type { Model, ModelError, ModelReply, ModelRequest } from "../../agent/model.ts"
import { CadreError, messageOf } from "../../ground/errors.ts"
import type { Message, Usage } from "../../ground/message.ts"
import { noUsage } from "../../ground/usage.ts"

/** What each agent says, turn by turn. An entry is picked by turn number, so that a resumed run gets the same one. */
export interface Script {
  readonly [agent: string]: readonly ScriptedTurn[]
}

export interface ScriptedTurn {
  /** Only for runs whose first message contains this text; others count their turns without it. */
  readonly match?: string
  readonly text?: string
  readonly calls?: readonly {
    readonly tool: string
    readonly input?: unknown
    readonly arguments?: string
    readonly id?: string
  }[]
  /** Default: 10 tokens read, 5 written. `unreported`: the provider tells nothing. */
  readonly usage?: Usage | "unreported"
  /** Why the reply ends. Default: `calls` with calls, else `end`. */
  readonly stop?: ModelReply["stop"]
  /** The provider's own word for that. */
  readonly finish?: string
  readonly error?: Partial<ModelError>
  readonly delayMs?: number
}

/** A deterministic model: it needs no network and no key. Tests, examples and the demo run on it. */
export function scriptedModel(script: Script, id = "script"): Model {
  return {
    id,
    async stream(request, onDelta) {
      const turn = turnOf(script, request)
      if (!turn) return failed(`The script has no turn ${request.turn} for agent "${request.agent}".`)
      if (turn.delayMs !== undefined) await pause(turn.delayMs, request.signal)
      if (request.signal.aborted) return failed("aborted", "aborted")
      const text = turn.text ?? ""
      for (const word of text.match(/\S+\s*/g) ?? []) onDelta({ type: "text", text: word })
      return {
        text,
        calls: (turn.calls ?? []).map((call, index) => ({
          // As some providers do: the same ids in every turn.
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
  try {
    return scriptedModel(JSON.parse(await readFile(file, "utf8")) as Script, `script:${file}`)
  } catch (error) {
    throw new CadreError("SCRIPT_INVALID", `The model script ${file} cannot be read: ${messageOf(error)}`)
  }
}

function turnOf(script: Script, request: ModelRequest): ScriptedTurn | undefined {
  const first: Message | undefined = request.messages[Symbol.iterator]().next().value
  const turns = (script[request.agent] ?? []).filter(
    ({ match }) => match === undefined || first?.text.includes(match),
  )
  return turns[request.turn - 1]
}

const failed = (message: string, kind: ModelError["kind"] = "rejected"): ModelReply => ({
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
