import type { ModelError } from "../../../agent/model.ts"
import { emptyFailure, errorObjectFailure, failure } from "./failure.ts"
import type { BodyKind, BodyReader } from "./http.ts"
import { fields, parsed } from "./json.ts"
import { SseReader } from "./sse.ts"

/** What a protocol makes of the values that an answer consists of. */
export interface Assembly {
  readonly host: string
  /** What a stream says, in place of JSON, when it is complete. */
  readonly lastData?: string
  /** Names of events that say nothing that others do not say: they are not even parsed. */
  readonly needless?: ReadonlySet<string>
  /** One event of a stream. `done`: it was the last. */
  addEvent(value: unknown): ModelError | "done" | undefined
  /** The whole of a JSON answer. */
  addWhole(value: unknown): ModelError | undefined
  /** Makes an answer of an error that the model itself can mend. */
  recover?(error: unknown): "recovered" | undefined
  /** What a stream lacks that ended. `complete`: after its last event. */
  check(end: "complete" | "early"): ModelError | undefined
}

/** Reads the body of an answer, as a stream of events or as one JSON object. */
export const bodyReader = (assembly: Assembly, kind: BodyKind, contentType: string): BodyReader =>
  kind === "sse" ? new StreamBody(assembly, contentType) : new JsonBody(assembly, contentType)

class StreamBody implements BodyReader {
  private readonly events = new SseReader((data, event) => this.take(data, event))
  private readonly assembly: Assembly
  private readonly contentType: string
  private isEmpty = true
  /** Where a server calls a JSON object a stream, as gateways do with their errors. */
  private whole: JsonBody | undefined
  private state: "more" | "done" | "broken" = "more"
  private error: ModelError | undefined

  constructor(assembly: Assembly, contentType: string) {
    this.assembly = assembly
    this.contentType = contentType
  }

  push(chunk: Buffer) {
    if (this.isEmpty && beginsAsJson(chunk)) this.whole = new JsonBody(this.assembly, this.contentType)
    this.isEmpty = false
    if (this.whole) return this.whole.push(chunk)
    this.events.push(chunk)
    return this.state
  }

  end(): ModelError | undefined {
    if (this.isEmpty) return emptyFailure(this.assembly.host, this.contentType)
    if (this.whole) return this.whole.end()
    if (this.state === "more") this.events.end()
    return this.error ?? this.assembly.check(this.state === "done" ? "complete" : "early")
  }

  private take(data: string, event: string): void {
    if (this.state !== "more" || data === "") return
    const taken = this.isLast(data) ? "done" : this.read(data, event)
    if (taken === undefined) return
    if (taken === "done") {
      this.state = "done"
      return
    }
    this.error = taken
    this.state = "broken"
  }

  private isLast(data: string): boolean {
    const { lastData } = this.assembly
    return data === lastData || (lastData !== undefined && data.length < 20 && data.trim() === lastData)
  }

  private read(data: string, event: string): ModelError | "done" | undefined {
    const { host, needless } = this.assembly
    if (needless?.has(event)) return undefined
    const value = parsed(data)
    // Some servers leave the blank line between events out.
    if (value === undefined && data.includes("\n")) return this.readLines(data.split("\n"), event)
    if (value === undefined)
      return failure("protocol", `The stream from ${host} has an event that is no JSON: ${data}`, "retry")
    if (event === "error") {
      const error = fields(value).error ?? value
      return this.assembly.recover?.(error) ? "done" : errorObjectFailure(host, error)
    }
    return this.assembly.addEvent(value)
  }

  private readLines(lines: readonly string[], event: string): ModelError | "done" | undefined {
    for (const line of lines) {
      const taken = this.isLast(line) ? "done" : this.read(line, event)
      if (taken !== undefined) return taken
    }
    return undefined
  }
}

class JsonBody implements BodyReader {
  private readonly chunks: Buffer[] = []
  private readonly assembly: Assembly
  private readonly contentType: string

  constructor(assembly: Assembly, contentType: string) {
    this.assembly = assembly
    this.contentType = contentType
  }

  push(chunk: Buffer): "more" {
    this.chunks.push(chunk)
    return "more"
  }

  end(): ModelError | undefined {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
    const text = body.toString()
    const value = parsed(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    if (value !== undefined) return this.assembly.addWhole(value)
    const { host } = this.assembly
    if (body.length === 0) return emptyFailure(host, this.contentType)
    if (beginsAsStream.test(text)) {
      const stream = new StreamBody(this.assembly, this.contentType)
      stream.push(body)
      return stream.end()
    }
    const content = this.contentType || "unnamed content"
    const what = `a body that is no JSON (${body.length} bytes of ${content})`
    return failure("protocol", `${host} answered with ${what}.`, "retry")
  }
}

/** No line of a stream of events begins so. */
function beginsAsJson(chunk: Buffer): boolean {
  const begin = chunk.toString("utf8", 0, 64).trimStart()
  return begin.startsWith("{") || begin.startsWith("[")
}

/** No JSON begins so; the name of a field may be missing, as in a comment. */
const beginsAsStream = /^\s*(?:data|event|id|retry)?:/
