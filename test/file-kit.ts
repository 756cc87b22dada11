import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll } from "vitest"
import type { Access, FunctionTool, Tool, ToolContext, ToolOutput } from "../src/agent/tool.ts"

const made: string[] = []

// Here, because what a test itself registers is never called.
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own, without links in its path; removed when the file's tests are over. */
export function temporaryFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-files-")))
  made.push(folder)
  put(folder, files)
  return folder
}

export function put(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), content)
  }
}

/** A named pipe: another name of the one that the suite has. */
export const putPipe = (place: string): void => fs.linkSync(path.join(os.tmpdir(), "pipe"), place)

/** Every file below a folder and what is in it. */
export function contents(folder: string): Readonly<Record<string, string>> {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), fs.readFileSync(file, "utf8")]))
}

export interface TestRun {
  /** What the tool gives, after its input was checked as in a run; what it saw is remembered. */
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    more?: Partial<ToolContext>,
  ): Promise<ToolOutput>
  accesses(name: string, input: Readonly<Record<string, unknown>>): Promise<readonly Access[]>
  readonly seen: Map<string, string>
}

/** A run as tools see one. */
export function testRun(tools: readonly Tool[], cwd: string): TestRun {
  const seen = new Map<string, string>()
  const find = (name: string) => tools.find((tool) => tool.name === name) as FunctionTool
  const checked = async (tool: FunctionTool, given: unknown) => {
    const result = await tool.validate(given)
    if ("problem" in result) throw new Error(result.problem)
    return result.value
  }
  return {
    seen,
    async call(name, given, more = {}) {
      const tool = find(name)
      const context: ToolContext = {
        run: "run",
        call: "c1",
        key: "run:c1",
        agent: "agent",
        depth: 0,
        cwd,
        seen: (file) => seen.get(file),
        permits: () => true,
        forbidden: () => [],
        signal: new AbortController().signal,
        ...more,
      }
      const result = await tool.execute(await checked(tool, given), context)
      const output = typeof result === "string" ? { text: result } : result
      for (const { path: file, hash } of [
        ...(output.evidence?.read ?? []),
        ...(output.evidence?.files ?? []),
      ])
        seen.set(file, hash)
      return output
    },
    accesses: async (name, given) => {
      const tool = find(name)
      return tool.accesses!(await checked(tool, given), { cwd })
    },
  }
}

/** For a context: what a run may do that may not touch paths that end so. */
export const without = (ending: string): Pick<ToolContext, "permits"> => ({
  permits: (access) => !("path" in access && access.path.endsWith(ending)),
})
