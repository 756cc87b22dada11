/** Claude Code, the program that users have, gives a task to an agent of cadre and reads the report. */
import { spawn } from "node:child_process"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { ScriptedAnswer, ServedRequest } from "../../src/faces/testing/model-server.ts"
import { startModelServer } from "../../src/faces/testing/model-server.ts"
import { publishedServer } from "../mcp/published-server.ts"
import { CommandWorld } from "../run-command-kit.ts"

const claude = publishedServer("@anthropic-ai/claude-code", "2.1.325")
const built = path.resolve(import.meta.dirname, "../../dist/cli.mjs")

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.put("config/config.yaml", `model: "script:${world.scriptFile}"\n`)
  world.agent("counter")
})
afterEach(() => world.remove())

test.skipIf(!claude)("Claude Code lists the agents, delegates, waits and gets the report", async () => {
  world.script({ counter: [{ text: "Seven files, counted by cadre.", delayMs: 2_000 }] })
  const results = await conversation([
    { tool: "mcp__cadre__list_agents", arguments: {} },
    { tool: "mcp__cadre__start_agent", arguments: { agent: "counter", prompt: "Count the files." } },
    { tool: "mcp__cadre__wait", arguments: { run: "RUN" } },
  ])
  expect(results).toEqual([
    expect.stringContaining("Does counter."),
    expect.stringContaining('"state":"running"'),
    expect.stringContaining("Seven files, counted by cadre."),
  ])
})

type Calls = readonly { readonly tool: string; readonly arguments: { readonly [name: string]: string } }[]

/** Has Claude Code make these calls, one a turn, and returns what its next requests say that they came to. */
async function conversation(calls: Calls): Promise<readonly string[]> {
  const results: string[] = []
  const server = await startModelServer({
    script: (request): ScriptedAnswer => {
      if (!hasTools(request)) return { text: "A title." }
      const last = lastResult(request)
      if (last !== undefined) results.push(last)
      const next = calls[results.length]
      const reasoning = "A subagent can do this."
      return next
        ? { reasoning, calls: [withRun(next, results.join(" "))] }
        : { reasoning, text: "It is done." }
    },
  })
  try {
    await runClaude(server.url.replace(/\/v1$/, ""))
    const refused = server.requests.find(({ problem }) => problem !== undefined)
    expect(refused?.problem).toBeUndefined()
    return results
  } finally {
    await server.close()
  }
}

const hasTools = ({ body }: ServedRequest): boolean => Array.isArray(body.tools) && body.tools.length > 0

function lastResult({ body }: ServedRequest): string | undefined {
  const last = (body.messages as readonly { readonly content: unknown }[]).at(-1)
  const parts = Array.isArray(last?.content) ? last.content : []
  const result = parts.find(({ type }) => type === "tool_result")
  if (!result) return undefined
  return typeof result.content === "string" ? result.content : JSON.stringify(result.content[0].text)
}

const withRun = ({ tool, arguments: input }: Calls[number], text: string) => ({
  tool,
  arguments: Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      value === "RUN" ? (/[0-9a-hjkmnp-tv-z]{26}/.exec(text)?.[0] ?? "none") : value,
    ]),
  ),
})

function runClaude(address: string): Promise<void> {
  const { PATH, TMPDIR, HOME, ...cadre } = world.environment
  world.put(
    "mcp.json",
    JSON.stringify({
      mcpServers: {
        cadre: { type: "stdio", command: process.execPath, args: [built, "mcp"], env: cadre },
      },
    }),
  )
  const child = spawn(
    process.execPath,
    [
      path.join(claude!.folder, "node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs"),
      ...["-p", "Delegate.", "--model", "claude-sonnet-4-5", "--output-format", "text"],
      ...["--mcp-config", path.join(world.base, "mcp.json"), "--strict-mcp-config"],
      ...["--allowedTools", "mcp__cadre"],
    ],
    {
      cwd: world.work,
      stdio: "ignore",
      env: {
        PATH,
        TMPDIR,
        HOME,
        LANG: "C.UTF-8",
        TERM: "dumb",
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_API_KEY: "dummy",
        CLAUDE_CONFIG_DIR: path.join(world.base, "claude"),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        ENABLE_TOOL_SEARCH: "false",
        CLAUDE_CODE_MAX_RETRIES: "0",
      },
    },
  )
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", () => resolve())
  })
}
