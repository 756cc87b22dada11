import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { readRunDiff } from "../../src/faces/cli/changes/read-run-diff.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { createFileTools } from "../../src/world/tools/files.ts"
import { temporaryFolder } from "../file-kit.ts"
import type { ChangesOrder } from "./changes-worker.ts"

const worker = fileURLToPath(new URL("./changes-worker.ts", import.meta.url))

const edit = { tool: "Edit", input: { file_path: "a.txt", old_string: "two", new_string: "2" } }
const write = { tool: "Write", input: { file_path: "new.txt", content: "new\n" } }

test.each<[ChangesOrder["dies"], typeof edit | typeof write]>([
  ["before-write", edit],
  ["after-write", edit],
  ["before-write", write],
  ["after-write", write],
])("killed %s, the changes of %j are known, before and after the run is resumed", async (dies, call) => {
  const base = temporaryFolder({ "work/a.txt": "one\ntwo\n" })
  const [folder, work] = [path.join(base, "runs"), path.join(base, "work")]
  const order: ChangesOrder = { folder, work, dies, ...call }
  const child = spawn(process.execPath, ["--import", "tsx", worker, JSON.stringify(order)], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)))
  expect([signal, said]).toEqual(["SIGKILL", ""])

  const store = jsonlStore({ directory: folder })
  const [run] = fs.readdirSync(folder).filter((name) => /^[0-9a-z]{26}$/.test(name))
  const shown = async () => {
    const { diffs } = (await readRunDiff(store, run!))!
    return diffs.map(({ change, hunks, problem }) => [
      path.basename(change.path),
      problem,
      hunks?.flatMap(({ lines }) => lines),
    ])
  }
  const changed =
    call === edit ? ["a.txt", undefined, [" one", "-two", "+2"]] : ["new.txt", undefined, ["+new"]]
  expect(await shown()).toEqual(dies === "after-write" ? [changed] : [])

  const runtime = createRuntime({
    agents: [defineAgent({ name: "writer", instructions: "Write." })],
    tools: createFileTools({ root: work }),
    models: { m: scriptedModel({ writer: [{ text: "" }, { text: "" }, { text: "Done." }] }) },
    store,
  })
  expect((await (await runtime.resume(run!)).done).outcome).toEqual({ type: "completed" })
  expect(await shown()).toEqual([changed])
  await runtime.close()
})
