import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { contents, temporaryFolder } from "../../../test/file-kit.ts"
import { results, world } from "../../../test/kit.ts"
import { createFileTools } from "./files.ts"

test("100: in a run, edits of one turn see each other, and the result says what was seen and written", async () => {
  const root = temporaryFolder({ "a.txt": "one two three\n", "b.txt": "b\n" })
  const edit = (old_string: string, new_string: string) => ({
    tool: "Edit",
    input: { path: "a.txt", old_string, new_string },
  })
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [{ tool: "Read", input: { path: "a.txt" } }] },
        { calls: [edit("one", "1"), edit("two", "2"), edit("three", "3"), edit("four", "4")] },
        {
          calls: [
            { tool: "Write", input: { path: "b.txt", content: "B" } },
            { tool: "Write", input: { path: "c/d.txt", content: "D" } },
          ],
        },
        { text: "done" },
      ],
    },
    tools: createFileTools({ root }),
  })
  const handle = runtime.run("lead", "go", { cwd: root })
  const { proof } = await handle.done
  expect(contents(root)).toEqual({ "a.txt": "1 2 3\n", "b.txt": "b\n", "c/d.txt": "D" })
  expect((await results(store, handle.id)).slice(1)).toEqual([
    ...["1", "1", "1"].map((line) => `Replaced the text at line ${line} of ${path.join(root, "a.txt")}.`),
    expect.stringContaining("old_string was not found in"),
    expect.stringContaining("read"),
    `Created ${path.join(root, "c/d.txt")}: 1 bytes.`,
  ])
  expect(JSON.stringify(proof)).toContain("c/d.txt")
})

/** The process dies after each change, before the change is recorded; the next one resumes the run. */
test("5, 6: killed between a change and its result, the change is made once", async () => {
  const root = temporaryFolder({ "a.txt": "log\n", "b.txt": "b\n", "state/x": "" })
  const script = path.join(temporaryFolder(), "run.mts")
  fs.writeFileSync(script, dying(root))
  let deaths = 0
  for (;;) {
    const child = spawn(process.execPath, ["--import", "tsx", script], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    const [code, signal] = await once(child, "close")
    if (signal === "SIGKILL" && ++deaths < 10) continue
    expect({ code, deaths, output }).toEqual({ code: 0, deaths: 3, output: "completed" })
    break
  }
  const { "a.txt": a, "b.txt": b, "new.txt": made } = contents(root)
  expect([a, b, made]).toEqual(["log\nlog\n", "b\nb\n", "made"])
})

const source = (name: string) =>
  JSON.stringify(pathToFileURL(path.resolve(import.meta.dirname, "../..", name)).href)

const dying = (root: string) => `
import fs from "node:fs"
import { createRuntime } from ${source("assembly/create-runtime.ts")}
import { defineAgent } from ${source("agent/agent.ts")}
import { scriptedModel } from ${source("world/models/scripted.ts")}
import { jsonlStore } from ${source("world/stores/jsonl.ts")}
import { createFileTools } from ${source("world/tools/files.ts")}

const root = ${JSON.stringify(root)}
const call = (tool, input) => ({ calls: [{ tool, input }] })
const model = scriptedModel({ lead: [
  { calls: [{ tool: "Read", input: { path: "a.txt" } }, { tool: "Read", input: { path: "b.txt" } }] },
  call("Edit", { path: "a.txt", old_string: "log\\n", new_string: "log\\nlog\\n" }),
  call("Write", { path: "new.txt", content: "made" }),
  call("ApplyPatch", { patch: "*** Begin Patch\\n*** Update File: b.txt\\n b\\n+b\\n*** End Patch" }),
  { text: "done" },
] })
const tools = createFileTools({ root, state: root + "/state" }).map((tool) => ({
  ...tool,
  async execute(input, context) {
    const output = await tool.execute(input, context)
    if (tool.effect === "idempotent" && !context.repeated) process.kill(process.pid, "SIGKILL")
    return output
  },
}))
const store = jsonlStore({ directory: root + "/state" })
const agents = [defineAgent({ name: "lead", instructions: "Work." })]
const runtime = createRuntime({ agents, tools, models: { model }, store })
const known = root + "/state/run"
const handle = fs.existsSync(known) ? await runtime.resume(fs.readFileSync(known, "utf8")) : runtime.run("lead", "go", { cwd: root })
fs.writeFileSync(known, handle.id)
process.stdout.write((await handle.done).outcome.type)
await runtime.close?.()
`
