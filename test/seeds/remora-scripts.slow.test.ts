/** What Remora's runner (000) must do here with scripts: context providers, inputs of the host, both shapes of the format. */
import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { ScriptedTurn } from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { agentsFolder, endsOf, node, runDefinition, submit } from "./remora-kit.ts"

const said = (value: string) =>
  `from grail import Input\n\nnoop: bool = Input("noop", default=False)\n\n_ = noop\n\n${value}\n`

/** A tool of the first shape, with these context providers. */
const tool = (parameters: object, ...providers: readonly string[]) => `  - name: work
    pym: tools/work.pym
    description: Works.
    parameters: ${JSON.stringify(parameters)}
    context_providers: ${JSON.stringify(providers)}
`
const none = { type: "object", additionalProperties: false, properties: {} }

describe("000: context providers", () => {
  const files = {
    "tools/work.pym": `from grail import external


@external
async def write_file(path: str, content: str) -> bool:
    """Write text content to a file."""
    ...


await write_file(path="worked", content="yes")
{"ok": True}
`,
    "context/one.pym": said('{"ctx": "one"}'),
    "context/two.pym": said('{"ctx": "two"}'),
    "context/broken.pym": said("1 / 0"),
  }
  const turns: readonly ScriptedTurn[] = [
    { calls: [{ tool: "work" }] },
    { calls: [{ tool: "work" }] },
    { calls: [submit()] },
  ]
  const run = async (...providers: readonly string[]) => {
    const folder = temporaryFolder()
    const tools = tool(none, ...providers)
    const { result, events } = await runDefinition(agentsFolder({ tools, files }), turns, { cwd: folder })
    return {
      outcome: result.outcome,
      ends: endsOf(events).map(({ status, text }) => ({ status, text })),
      worked: fs.existsSync(path.join(folder, "worked")),
    }
  }

  test("run in order before every call of the tool, and their output is ahead of its own", async () => {
    const end = { status: "ok", text: '{"ctx":"one"}\n{"ctx":"two"}\n{"ok":true}' }
    expect(await run("context/one.pym", "context/two.pym")).toEqual({
      outcome: { type: "completed" },
      ends: [end, end],
      worked: true,
    })
  })

  test("one that fails stops the call: the tool does not run, and the run goes on", async () => {
    const failed = { status: "error", text: expect.stringMatching(/"code":"EXECUTION"/) }
    expect(await run("context/broken.pym", "context/two.pym")).toEqual({
      outcome: { type: "completed" },
      ends: [failed, failed],
      worked: false,
    })
  })
})

describe("000: inputs that the run gives", () => {
  const echo = `from grail import Input

node_text_input: str | None = Input("node_text", default=None)
target_file: str | None = Input("target_file", default=None)
workspace_id: str | None = Input("workspace_id", default=None)
style: str = Input("style", default="plain")

{"node": node_text_input, "file": target_file, "workspace": workspace_id, "style": style}
`
  const wanted = {
    type: "object",
    properties: {
      style: { type: "string" },
      workspace_id: { type: "string" },
      node_text_input: { type: "string" },
    },
    required: ["style", "workspace_id"],
  }
  const later = `  - tool_name: work
    pym: tools/work.pym
    tool_description: Works.
`

  test.each<[string, string, object, object]>([
    [
      "parameters that the file writes",
      tool(wanted),
      { type: "object", properties: { style: { type: "string" } }, required: ["style"] },
      {
        style: "s",
        node_text: "x",
        node_text_input: "x",
        target_file: "/etc/passwd",
        target_file_input: "/etc/passwd",
        workspace_id: "x",
      },
    ],
    [
      "parameters that the script declares",
      later,
      {
        type: "object",
        properties: { style: { type: "string", default: "plain" } },
        additionalProperties: false,
      },
      { style: "s" },
    ],
  ])("are neither seen nor set by a model: %s", async (_, tools, schema, input) => {
    const { result, requests, events } = await runDefinition(
      agentsFolder({ tools, files: { "tools/work.pym": echo } }),
      [{ calls: [{ tool: "work", input }] }, { calls: [submit()] }],
      { cwd: temporaryFolder() },
    )
    expect(requests[0]!.tools.find(({ name }) => name === "work")).toMatchObject({ input: schema })
    expect(requests[0]!.tools.find(({ name }) => name === "work")!.input).toEqual(schema)
    expect(endsOf(events).map(({ text }) => JSON.parse(text))).toEqual([
      { node: node.text, file: node.file, workspace: result.run, style: "s" },
    ])
  })

  test("are absent where the run has no node", async () => {
    const { events } = await runDefinition(
      agentsFolder({ nodeContext: "Work.", tools: tool(wanted), files: { "tools/work.pym": echo } }),
      [{ calls: [{ tool: "work", input: { style: "s", target_file: "x" } }] }, { calls: [submit()] }],
      { cwd: temporaryFolder(), node: undefined as never },
    )
    expect(endsOf(events).map(({ text }) => JSON.parse(text))).toEqual([
      { node: null, file: null, workspace: expect.any(String), style: "s" },
    ])
  })
})
