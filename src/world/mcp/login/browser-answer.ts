import http from "node:http"
import type { AddressInfo } from "node:net"
import { makeRandomBytes } from "../../../ground/crypto.ts"

/** Waits on this machine for the browser to come back from the authorisation server. */
export interface BrowserAnswer {
  readonly address: string
  /** Only an answer with this value counts. */
  readonly state: string
  /** Resolves with the parameters of the first answer that has the right state. */
  readonly answer: Promise<URLSearchParams>
  close(): Promise<void>
}

/** Listens on the loopback interface. `port` 0 takes a random free port. */
export async function listenForRedirect(port = 0): Promise<BrowserAnswer> {
  const state = makeRandomBytes(32).toString("base64url")
  let resolveAnswer!: (parameters: URLSearchParams) => void
  const answer = new Promise<URLSearchParams>((resolve) => {
    resolveAnswer = resolve
  })
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    const isAnswer =
      request.method === "GET" && url.pathname === callbackPath && url.searchParams.get("state") === state
    const [status, text] = isAnswer
      ? [200, "cadre has got the answer. You can close this page."]
      : [404, "cadre does not wait for this answer."]
    response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" })
    response.end(`${text}\n`)
    if (isAnswer) resolveAnswer(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${callbackPath}`,
    state,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

const callbackPath = "/callback"
