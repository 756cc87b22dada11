import type { ServerResponse } from "node:http"
import type { Fault, ScriptedAnswer, ServedRequest } from "./answer.ts"
import type { WireProtocol } from "./protocol.ts"

/** Sends a scripted answer, with its fault. */
export function send(
  response: ServerResponse,
  protocol: WireProtocol,
  answer: ScriptedAnswer,
  request: ServedRequest,
): void {
  const [fault, streamed] = [answer.fault, request.streamed]
  const type = streamed ? "text/event-stream" : "application/json"
  const other = fault && writtenOut(fault, protocol)
  if (other) {
    response.writeHead(other.status ?? 200, { "content-type": type, ...other.headers }).end(other.body)
    return
  }
  response.writeHead(200, { "content-type": type })
  const text = streamed ? protocol.streamText(answer, request) : protocol.jsonText(answer, request)
  const bytes = Buffer.from(text)
  switch (fault?.type) {
    case "cut":
      response.write(bytes.subarray(0, fault.afterBytes))
      if (fault.how === "end") response.end()
      // Waits until the bytes are sent: an immediate reset would discard them.
      else setTimeout(() => response.socket?.resetAndDestroy(), 20)
      return
    case "stall": {
      response.write(bytes.subarray(0, fault.afterBytes))
      if (!fault.pingMs) return
      const timer = setInterval(() => response.write(streamed ? protocol.ping : " "), fault.pingMs)
      response.on("close", () => clearInterval(timer))
      return
    }
    case "pieces":
      for (let at = 0; at < bytes.length; at += fault.bytes)
        response.write(bytes.subarray(at, at + fault.bytes))
      response.end()
      return
    case "flood":
      flood(response, fault.bytes, streamed ? ": flood\n" : " ")
      return
    default:
      response.end(bytes)
  }
}

/** The complete answer for a fault that replaces the scripted one. Undefined for other faults. */
function writtenOut(
  fault: Fault,
  protocol: WireProtocol,
): Omit<Extract<Fault, { type: "raw" }>, "type"> | undefined {
  switch (fault.type) {
    case "raw":
      return fault
    case "status": {
      const error = fault.error ?? { message: `Scripted ${fault.status}.`, type: "scripted", code: null }
      const headers = { "content-type": "application/json", ...fault.headers }
      return { status: fault.status, headers, body: fault.body ?? protocol.errorText(error, fault.status) }
    }
    case "html":
      return { headers: { "content-type": "text/html; charset=utf-8" }, body: signIn }
    default:
      return undefined
  }
}

const signIn = "<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>"

function flood(response: ServerResponse, bytes: number, filler: string): void {
  const piece = Buffer.alloc(64 * 1024, filler)
  let remaining = bytes
  const pour = (): void => {
    while (remaining > 0) {
      remaining -= piece.length
      if (!response.write(piece)) {
        response.once("drain", pour)
        return
      }
    }
    response.end()
  }
  pour()
}
