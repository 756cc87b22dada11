import { expect, test } from "vitest"
import type { ToolOutput } from "../../agent/tool.ts"
import { withContext } from "./with-context.ts"

/** Runs the providers and the tool with these outputs; returns the result, and what ran in which order. */
async function run(providers: Readonly<Record<string, ToolOutput>>, tool: ToolOutput) {
  const ran: string[] = []
  const result = await withContext(
    Object.keys(providers),
    async (name) => {
      ran.push(name)
      return providers[name]!
    },
    async () => {
      ran.push("tool")
      return tool
    },
  )
  return { ran, result }
}

test("providers run in order before the tool, and their output is ahead of its own", async () => {
  expect(
    await run({ one: { text: '{"ctx":"one"}' }, two: { text: '{"ctx":"two"}' } }, { text: '{"ok":true}' }),
  ).toEqual({
    ran: ["one", "two", "tool"],
    result: { text: '{"ctx":"one"}\n{"ctx":"two"}\n{"ok":true}' },
  })
})

test("the first provider that fails is the result, and nothing behind it runs", async () => {
  const broken = { text: '{"error":true}', isError: true } as const
  expect(await run({ one: { text: "1" }, two: broken, three: { text: "3" } }, { text: "ok" })).toEqual({
    ran: ["one", "two"],
    result: broken,
  })
})

test("an error of the tool keeps the output of the providers", async () => {
  expect((await run({ one: { text: "1" } }, { text: "no", isError: true })).result).toEqual({
    text: "1\nno",
    isError: true,
  })
})

test("the evidence of all of them is that of the call", async () => {
  const file = (path: string) => ({ path, hash: path })
  const { result } = await run(
    { one: { text: "1", evidence: { read: [file("a")] } } },
    { text: "ok", evidence: { files: [file("b")], commands: [{ command: "c", exitCode: 0 }] } },
  )
  expect(result.evidence).toEqual({
    read: [file("a")],
    files: [file("b")],
    commands: [{ command: "c", exitCode: 0 }],
  })
})
