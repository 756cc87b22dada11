import { StringDecoder } from "node:string_decoder"

/**
 * Reads server-sent events from bytes that may be cut anywhere, inside a character or a line end too.
 * Work is linear in the bytes, however they are cut. A line end is CRLF, LF or CR.
 */
export class SseReader {
  private readonly onEvent: (data: string, event: string) => void
  private readonly decoder = new StringDecoder("utf8")
  private started = false
  private afterReturn = false
  private line = ""
  private data: string | undefined
  private event = ""

  /** `event` is "message" where the stream does not name one. */
  constructor(onEvent: (data: string, event: string) => void) {
    this.onEvent = onEvent
  }

  push(chunk: Uint8Array): void {
    this.read(this.decoder.write(chunk as Buffer))
  }

  /**
   * Tells the last event even if the end cut it short: its data will not parse, so that a cut is seen and not
   * dropped.
   */
  end(): void {
    this.read(this.decoder.end())
    if (this.line !== "") this.endLine(this.line)
    this.line = ""
    this.endLine("")
  }

  private read(decoded: string): void {
    if (decoded === "") return
    let start = 0
    if (!this.started) {
      this.started = true
      if (decoded.charCodeAt(0) === byteOrderMark) start = 1
    }
    if (this.afterReturn && decoded.charCodeAt(0) === lineFeed) start = 1
    this.afterReturn = false
    let feed = decoded.indexOf("\n", start)
    let carriage = decoded.indexOf("\r", start)
    while (feed >= 0 || carriage >= 0) {
      const end = carriage < 0 || (feed >= 0 && feed < carriage) ? feed : carriage
      this.endLine(this.line + decoded.slice(start, end))
      this.line = ""
      start = end + 1
      if (end === carriage) {
        if (start === decoded.length) this.afterReturn = true
        else if (decoded.charCodeAt(start) === lineFeed) start++
        carriage = decoded.indexOf("\r", start)
      }
      // Searched again only when passed, so that neither kind of line end makes the other one's search
      // quadratic.
      if (feed >= 0 && feed < start) feed = decoded.indexOf("\n", start)
    }
    if (start < decoded.length) this.line += decoded.slice(start)
  }

  private endLine(line: string): void {
    if (line === "") {
      const { data, event } = this
      this.data = undefined
      this.event = ""
      if (data !== undefined) this.onEvent(data, event || "message")
      return
    }
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    if (field !== "data" && field !== "event") return
    const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === space ? colon + 2 : colon + 1)
    if (field === "event") this.event = value
    else this.data = this.data === undefined ? value : `${this.data}\n${value}`
  }
}

const byteOrderMark = 0xfeff
const lineFeed = 10
const space = 32
