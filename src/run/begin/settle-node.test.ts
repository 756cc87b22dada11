import { expect, test } from "vitest"
import { runStart } from "../../../test/run-start.ts"
import { defineAgent } from "../../agent/agent.ts"
import { createRuntime } from "../../assembly/create-runtime.ts"
import { CadreError } from "../../ground/errors.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import type { Beginning } from "../ports/beginning.ts"
import { pickNodeFacts, withNode } from "./settle-node.ts"

const facts = {
  id: "0123456789abcdef",
  type: "function",
  name: "f",
  fullName: "f",
  file: "src/x.py",
  startLine: 1,
  endLine: 2,
}
const node = { ...facts, text: "def f(): pass", startByte: 0 }
const found = { node_text: node.text, node_name: "f", node_type: "function", file_path: "src/x.py" }

test.each<[string, Pick<Beginning, "node" | "variables" | "follows">, object]>([
  [
    "an address is looked up below the folder of the run",
    { node: "src/x.py::f" },
    { node, variables: found },
  ],
  ["a node is taken as it is", { node }, { node, variables: found }],
  [
    "other variables of the call stay",
    { node, variables: { depth: 1 } },
    { node, variables: { depth: 1, ...found } },
  ],
  [
    "the node of a failed run goes on with its task, as it was",
    {
      variables: found,
      follows: { start: { ...runStart, node: facts, variables: { node_text: "before" } } } as never,
    },
    { node: { ...facts, text: "before" }, variables: found },
  ],
])("%s", async (_, beginning, expected) => {
  const asked: string[] = []
  const findNode = async (address: string, folder: string) => {
    asked.push(`${folder} ${address}`)
    return node
  }
  const settled = await withNode({ findNode }, { ...beginning, cwd: "/project" })
  expect(settled).toMatchObject(expected)
  expect(pickNodeFacts(settled)).toEqual(facts)
  expect(asked).toEqual(typeof beginning.node === "string" ? ["/project src/x.py::f"] : [])
})

test.each<[string, Pick<Beginning, "node" | "variables">, object]>([
  [
    "the same variable twice",
    { node, variables: { node_name: "g" } },
    { code: "VARIABLE_INVALID", message: expect.stringContaining("node_name") },
  ],
  [
    "a node without its text",
    { node: facts as never },
    { code: "OPTION_INVALID", message: expect.stringContaining("lacks text") },
  ],
  [
    "no node at all",
    { node: null as never },
    { code: "OPTION_INVALID", message: expect.stringContaining("lacks id") },
  ],
  [
    "an address that nothing has, which is no fault of the agent",
    { node: "src/x.py::g" },
    { code: "NODE_UNKNOWN", problems: [{ code: "NODE_UNKNOWN", kind: "call", message: "No g." }] },
  ],
])("refused: %s", async (_, beginning, expected) => {
  const findNode = async () => {
    throw new CadreError("NODE_UNKNOWN", "No g.")
  }
  await expect(withNode({ findNode }, beginning)).rejects.toMatchObject(expected)
})

test("a runtime that cannot look up nodes says so", async () => {
  await expect(withNode({}, { node: "x.py::f" })).rejects.toMatchObject({ code: "OPTION_INVALID" })
})

test("a fallback works on the same node", async () => {
  const seen: unknown[] = []
  const runtime = createRuntime({
    agents: [
      defineAgent({ name: "first", instructions: "Try.", fallback: ["second"] }),
      defineAgent({ name: "second", instructions: "Try again." }),
    ],
    models: { m: scriptedModel({ first: [{ error: { message: "no" } }], second: [{ text: "Done." }] }) },
    layers: {
      model: [
        (request, next) => {
          seen.push([request.agent, [...request.messages].map((message) => message.text)])
          return next(request)
        },
      ],
    },
    store: memoryStore(),
  })
  const { outcome } = await runtime.run("first", "", { node }).done
  const text = "The function f in src/x.py, lines 1 to 2:\n\n```\ndef f(): pass\n```"
  expect([outcome, seen]).toEqual([
    { type: "completed" },
    [
      ["first", [text]],
      ["second", [text]],
    ],
  ])
})
