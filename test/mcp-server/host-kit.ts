import path from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { CommandWorld } from "../run-command-kit.ts"

const built = path.resolve(import.meta.dirname, "../../dist/cli.mjs")

/** The two eras of the protocol, each with the version that its clients ask for. */
export const eras = {
  "with the handshake of 2025": "legacy",
  "of 2026-07-28": { pin: "2026-07-28" },
} as const

export interface HostOptions {
  readonly era?: (typeof eras)[keyof typeof eras]
  readonly words?: readonly string[]
  /** The answer of the person. Without it, the host cannot ask. */
  readonly person?: (question: string) => Promise<PersonAnswer>
}

export interface PersonAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: { readonly allow: boolean }
}

interface Answer {
  readonly text: string
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the answer that it asks for.
  readonly value: any
}

export interface Host {
  readonly client: Client
  /** The process of the server. */
  readonly pid: number
  call(tool: string, input?: object, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly message?: string }) => void
}

/** Connects the official client to `cadre mcp` of a world, as a host does. */
export async function connectHost(world: CommandWorld, options: HostOptions = {}): Promise<Host> {
  const { era = "legacy", words = [], person } = options
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [built, "mcp", ...words],
    cwd: world.work,
    env: world.environment as Record<string, string>,
    stderr: "ignore",
  })
  const client = new Client(
    { name: "test-host", version: "1" },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era },
    },
  )
  if (person)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { action, content } = await person(params.message)
      return { action, ...(content && { content: { ...content } }) }
    })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid!,
    async call(name, input = {}, { signal, onprogress } = {}) {
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: { ...input } },
        { timeout: 120_000, ...(signal && { signal }), ...(onprogress && { onprogress }) },
      )
      const [first] = content as readonly { readonly text: string }[]
      return { text: first!.text, value: structuredContent, isError: isError === true }
    },
    close: () => client.close(),
  }
}

/** Waits until a process is gone. */
export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
