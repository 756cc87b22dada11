import fs from "node:fs"
import path from "node:path"
import type { FunctionTool, ToolContext, ToolOutput } from "../../src/agent/tool.ts"
import { createFileTools } from "../../src/world/tools/files.ts"

/** One process of several that change the same files with the tools: what it is to do, where, and how often. */
const [work = "", root = "", times = "0", name = ""] = process.argv.slice(2)

const tools = createFileTools({ root })
const seen = new Map<string, string>()

async function call(tool: string, input: object): Promise<ToolOutput> {
  const found = tools.find((one) => one.name === tool) as FunctionTool
  const checked = await found.validate(input)
  if ("problem" in checked) throw new Error(checked.problem)
  const context: Partial<ToolContext> = {
    cwd: root,
    seen: (file) => seen.get(file),
    permits: () => true,
    signal: new AbortController().signal,
  }
  const output = (await found.execute(checked.value, context as ToolContext)) as ToolOutput
  for (const { path: file, hash } of [...(output.evidence?.read ?? []), ...(output.evidence?.files ?? [])])
    seen.set(file, hash)
  return output
}

const count = () => /\d+/.exec(fs.readFileSync(path.join(root, "counter"), "utf8"))?.[0] ?? "0"
const next = (number: string) => String(Number(number) + 1).padStart(number.length, "0")

const works: Readonly<Record<string, () => Promise<boolean>>> = {
  /** Adds one to a number, in a file that stays as long as it is. */
  edit: async () => {
    await call("Read", { path: "counter" })
    const number = count()
    return !(await call("Edit", { path: "counter", old_string: number, new_string: next(number) })).isError
  },
  patch: async () => {
    await call("Read", { path: "counter" })
    const number = count()
    const patch = `*** Begin Patch\n*** Update File: counter\n@@\n-${number}\n+${next(number)}\n*** End Patch`
    return !(await call("ApplyPatch", { patch })).isError
  },
  /** Makes a file that others want to make, too. */
  make: async () => {
    const file = `made-${made++}`
    return !(await call("Write", { path: file, content: name })).isError && Boolean(won.push(file))
  },
}
let made = 0
const won: string[] = []

process.stdout.write("ready\n")
await new Promise<void>((resolve) => process.stdin.once("data", () => resolve()))
process.stdin.unref()
let done = 0
for (let turn = 0; turn < Number(times); turn++) if (await works[work]!()) done++
process.stdout.write(`${JSON.stringify({ done, won })}\n`)
