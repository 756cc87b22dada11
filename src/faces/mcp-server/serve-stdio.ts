import type { Readable, Writable } from "node:stream"
import { createServerFactory } from "./create-server.ts"
import type { ServedProject } from "./served-project.ts"

export interface StdioServing {
  readonly input: Readable
  readonly output: Writable
  /** Ends the server. */
  readonly signal: AbortSignal
  /** Told about messages that break the protocol. The server goes on. */
  onProblem(problem: Error): void
}

/** Serves a project to one host over streams, in both eras of the protocol. Resolves when the host or the signal ends it. */
export async function serveStdio(
  project: ServedProject,
  { input, output, signal, onProblem }: StdioServing,
): Promise<void> {
  const [{ serveStdio: serve, StdioServerTransport }, factory] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    createServerFactory(project),
  ])
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) input.once(event, resolve)
    output.once("error", () => resolve())
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
  const connection = serve(factory, {
    transport: new StdioServerTransport(input, output),
    onerror: onProblem,
  })
  await ended
  await connection.close()
}
