/** The built command offers its model a part of a long list. Its requests show which part. */
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import {
  type ModelServer,
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "../../src/faces/testing/model-server.ts"
import { CommandWorld } from "../run-command-kit.ts"

const program = path.resolve(import.meta.dirname, "hostile-server.mjs")

let world: CommandWorld
let models: ModelServer | undefined
beforeEach(() => {
  world = new CommandWorld()
  world.agent("worker", ["model: own", "tools: [mcp__srv__*]"])
})
afterEach(async () => {
  await models?.close()
  world.remove()
})

/** A server with this many tools, and a model with a window that answers request after request. */
async function configure(tools: number, window: number, script: readonly ScriptedAnswer[]): Promise<void> {
  models = await startModelServer({ script })
  const note = path.join(world.base, "note")
  world.put(
    "note",
    JSON.stringify({
      tools: Array.from({ length: tools }, (_, index) => ({
        name: `do_${index}`,
        description: "Does the work that its number says. ".repeat(10),
        inputSchema: { type: "object" },
      })),
    }),
  )
  const settings = {
    command: process.execPath,
    args: [program, "lists what its note says", "old"],
    visible: [path.dirname(program)],
    writable: [world.base],
    env: { NOTE: note },
  }
  world.put(
    "config/config.yaml",
    [
      `providers: { far: { baseUrl: ${JSON.stringify(models.url)} } }`,
      `models: { own: { provider: far, model: m, window: ${window} } }`,
      `mcpServers: { srv: ${JSON.stringify(settings)} }`,
      "",
    ].join("\n"),
  )
}

const offered = ({ body }: ServedRequest): readonly string[] =>
  ((body.tools ?? []) as readonly { readonly function: { readonly name: string } }[]).map(
    (tool) => tool.function.name,
  )

const isOfServer = (name: string): boolean => name.startsWith("mcp__srv__")

test.each([
  ["100 tools in a large window are all offered", 100, 1_000_000, 100],
  ["101 tools are searched for", 101, 1_000_000, 0],
  ["20 tools that take more than a tenth of the window are searched for", 20, 10_000, 0],
  ["20 tools that take less of it are all offered", 20, 1_000_000, 20],
])("%s", async (_, tools, window, count) => {
  await configure(tools, window, [{ text: "Done." }])
  expect((await world.cadre("run", "worker", "Go.")).code).toBe(0)
  const names = offered(models!.requests[0]!)
  expect([names.filter(isOfServer).length, names.includes("ToolSearch")]).toEqual([count, count === 0])
})

test("a resume in another process offers the tools that a search loaded before", async () => {
  await configure(150, 1_000_000, [
    { calls: [{ tool: "ToolSearch", arguments: { query: "select:mcp__srv__do_7" } }] },
    { calls: [{ tool: "mcp__srv__do_7", arguments: {} }] },
    { text: "Done." },
  ])
  const { code, result } = await world.json("run", "worker", "Go.")
  expect(code).toBe(7)
  expect((await world.cadre("approve", result.id)).code).toBe(0)
  expect((await world.cadre("resume", result.id)).code).toBe(0)
  const [before, loaded, resumed] = models!.requests.map(offered)
  expect(before!.filter(isOfServer)).toEqual([])
  expect([loaded!.filter(isOfServer), resumed]).toEqual([["mcp__srv__do_7"], loaded])
})
