import { StringDecoder } from "node:string_decoder"

/**
 * Reads server-sent events from bytes that may be cut anywhere, even inside a character or a line end. The work is
 * linear in the bytes, however they are cut. A line ends with CRLF, LF or CR.
 */
export class SseReader {
  private readonly onEvent: (data: string, event: string) => void
  private readonly decoder = new StringDecoder("utf8")
  private started = false
  private afterReturn = false
  private line = ""
  private data: string | undefined
  private event = ""

  /** `event` is "message" if the stream gives no name. */
  constructor(onEvent: (data: string, event: string) => void) {
    this.onEvent = onEvent
  }

  push(chunk: Uint8Array): void {
    this.read(this.decoder.write(chunk as Buffer))
  }

  /** Reports the last event even if it was cut: its data will not parse, so the cut is noticed. */
  end(): void {
    this.read(this.decoder.end())
    this.endLine(this.line)
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
      // Each kind of line end is searched again only when passed. Otherwise the search would be quadratic.
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
