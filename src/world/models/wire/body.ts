import type { ModelError } from "../../../agent/model.ts"
import { createEmptyFailure, createErrorObjectFailure, createModelFailure } from "./failure.ts"
import type { BodyKind, BodyReader } from "./http.ts"
import { readFields, tryParseJson } from "./json.ts"
import { SseReader } from "./sse.ts"

/** Builds a protocol's reply from the values of an answer. */
export interface Assembly {
  readonly host: string
  /** The data with which a stream says that it is complete, in place of JSON. */
  readonly lastData?: string
  /** Names of events that only repeat others. They are not even parsed. */
  readonly ignoredEvents?: ReadonlySet<string>
  /** Adds one event of a stream. `done`: it was the last. */
  addEvent(value: unknown): ModelError | "done" | undefined
  /** Adds a whole JSON answer. */
  addWhole(value: unknown): ModelError | undefined
  /** Turns an error that the model itself can correct into an answer. */
  recover?(error: unknown): "recovered" | undefined
  /** Reports what an ended stream lacks. `complete`: the stream ended with its last event. */
  check(end: "complete" | "early"): ModelError | undefined
}

/** Reads the body of an answer, as a stream of events or as one JSON object. */
export const createBodyReader = (assembly: Assembly, kind: BodyKind, contentType: string): BodyReader =>
  kind === "sse" ? new StreamBody(assembly, contentType) : new JsonBody(assembly, contentType)

class StreamBody implements BodyReader {
  private readonly events = new SseReader((data, event) => this.take(data, event))
  private readonly assembly: Assembly
  private readonly contentType: string
  private isEmpty = true
  /** Set if the body is a JSON object, although the server calls it a stream. Gateways do that with errors. */
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
    if (this.isEmpty) return createEmptyFailure(this.assembly.host, this.contentType)
    if (this.whole) return this.whole.end()
    if (this.state === "more") this.events.end()
    return this.error ?? this.assembly.check(this.state === "done" ? "complete" : "early")
  }

  private take(data: string, event: string): void {
    if (this.state !== "more" || data === "") return
    const result = this.isLast(data) ? "done" : this.read(data, event)
    if (result === undefined) return
    if (result === "done") {
      this.state = "done"
      return
    }
    this.error = result
    this.state = "broken"
  }

  private isLast(data: string): boolean {
    const { lastData } = this.assembly
    return data === lastData || (lastData !== undefined && data.length < 20 && data.trim() === lastData)
  }

  private read(data: string, event: string): ModelError | "done" | undefined {
    const { host, ignoredEvents } = this.assembly
    if (ignoredEvents?.has(event)) return undefined
    const value = tryParseJson(data)
    // Some servers omit the blank line between events.
    if (value === undefined && data.includes("\n")) return this.readLines(data.split("\n"), event)
    if (value === undefined)
      return createModelFailure(
        "protocol",
        `The stream from ${host} has an event that is not JSON: ${data}`,
        "retry",
      )
    if (event === "error") {
      const error = readFields(value).error ?? value
      return this.assembly.recover?.(error) ? "done" : createErrorObjectFailure(host, error)
    }
    return this.assembly.addEvent(value)
  }

  private readLines(lines: readonly string[], event: string): ModelError | "done" | undefined {
    for (const line of lines) {
      const result = this.isLast(line) ? "done" : this.read(line, event)
      if (result !== undefined) return result
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
    const value = tryParseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    if (value !== undefined) return this.assembly.addWhole(value)
    const { host } = this.assembly
    if (body.length === 0) return createEmptyFailure(host, this.contentType)
    if (beginsAsStream.test(text)) {
      const stream = new StreamBody(this.assembly, this.contentType)
      stream.push(body)
      return stream.end()
    }
    const content = this.contentType || "unnamed content"
    const what = `a body that is not JSON (${body.length} bytes of ${content})`
    return createModelFailure("protocol", `${host} answered with ${what}.`, "retry")
  }
}

/** True if the body begins like JSON. No line of an event stream begins so. */
function beginsAsJson(chunk: Buffer): boolean {
  const begin = chunk.toString("utf8", 0, 64).trimStart()
  return begin.startsWith("{") || begin.startsWith("[")
}

/** No JSON begins so. The field name may be missing, as in a comment. */
const beginsAsStream = /^\s*(?:data|event|id|retry)?:/
